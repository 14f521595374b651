package euchre.bot.record;

import euchre.bot.errors.SealBrokenException;
import euchre.bot.errors.UsageException;
import euchre.bot.seal.Ed25519;
import euchre.bot.seal.NamedKey;
import euchre.bot.seal.Seal;
import java.util.Arrays;
import java.util.Set;

/** The chain of events as far as it has been seen: in order, unbroken, signed where it must be. */
final class EventChain {
  private static final Set<String> SIGNED =
      Set.of("match_open", "commit_set", "deck_root", "deal_close", "match_close");

  private byte[] head = new byte[Seal.HASH];
  private long nextSeq;
  private byte[] key = new byte[0];

  /** The head after the newest event. */
  byte[] head() {
    return head;
  }

  /** The first event not yet seen. */
  long nextSeq() {
    return nextSeq;
  }

  /** The referee's key, once match_open has named it. */
  byte[] key() {
    return key;
  }

  /** The next event; one that is not next, or not the referee's, is a SealBrokenException. */
  Event take(byte[] raw, byte[] sig) {
    Fields bare = Fields.parse("event " + nextSeq, raw);
    String kind = bare.text("kind");
    Fields fields = bare.named("event " + nextSeq + " (" + kind + ")");
    long seq = fields.number("seq");
    if (seq != nextSeq) {
      throw new SealBrokenException(
          "event %d (%s) came where event %d was due".formatted(seq, kind, nextSeq));
    }
    if (!Arrays.equals(fields.octets("prev", Seal.HASH), head)) {
      throw fields.fault("it does not continue the chain of events");
    }
    if ((seq == 0) != kind.equals("match_open")) {
      throw fields.fault("the match has to open with match_open, once");
    }
    if (seq == 0) {
      key = keyOf(fields, "referee_key", "the referee's key is not a sound one");
    }
    byte[] after = Seal.eventHead(head, raw);
    if (SIGNED.contains(kind) || sig.length > 0) {
      checkSignature(fields, after, sig);
    }
    head = after;
    nextSeq++;
    return new Event(seq, kind, fields, after);
  }

  private void checkSignature(Fields fields, byte[] after, byte[] sig) {
    if (sig.length == 0) {
      throw fields.fault("it is not signed by the referee");
    }
    if (!Ed25519.verifies(key, sig, Seal.refereeSignedBytes(after))) {
      throw fields.fault("it has a signature that is not the referee's");
    }
  }

  /** A key that an event names. */
  static byte[] keyOf(Fields fields, String field, String fault) {
    try {
      return NamedKey.parse(fields.text(field)).key();
    } catch (UsageException err) {
      throw fields.fault(fault);
    }
  }
}
