package euchre.bot.seal;

import euchre.bot.errors.SealBrokenException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The sealed deal, from seeds to deck: the arithmetic that every party repeats.
 *
 * <p>Bytes in, bytes out; no clock, no chance, no I/O. A seat is its number here, 0 to 3.
 */
public final class Seal {
  /** The protocol's name, as match_open says it. */
  public static final String PROTOCOL = "euchre-sealed/v1";

  /** Bytes of a hash, a seed, a salt and a blind. */
  public static final int HASH = 32;

  private static final String PREFIX = PROTOCOL + "/";

  private Seal() {}

  /** A commitment, a head or a key's hash: SHA-256 of the parts under a tag of its own. */
  public static byte[] taggedHash(String tag, byte[]... parts) {
    return sha256(tagged(tag, parts));
  }

  /** R of {@code index} - 1, from R of {@code index}. */
  public static byte[] chainStep(byte[] match, long index, byte[] value) {
    return taggedHash("ref-chain", match, u32(index), value);
  }

  /** R of {@code end}, from a value that claims to be R of {@code start}, which is not below it. */
  public static byte[] chainDescend(byte[] match, byte[] value, long start, long end) {
    byte[] link = value;
    for (long index = start; index > end; index--) {
      link = chainStep(match, index, link);
    }
    return link;
  }

  /** The seed that the holder of a secret gives to a deal. */
  public static byte[] seatSeed(byte[] secret, byte[] match, long deal) {
    return hmac(secret, tagged("seat-seed", match, u32(deal)));
  }

  /** A seat's commitment to its seed, and to the cut where it is the cutter (else null). */
  public static byte[] seatCommit(byte[] match, long deal, int seat, byte[] seed, Integer cut) {
    return taggedHash("seat-commit", match, u32(deal), u32(seat), seed, cutBytes(cut));
  }

  /** The hash of all that a deal's deck depends on, before anything is revealed. */
  public static byte[] commitSet(
      byte[] match, long deal, String pack, byte[] rCommit, List<byte[]> commits) {
    byte[][] parts = new byte[4 + commits.size()][];
    parts[0] = match;
    parts[1] = u32(deal);
    parts[2] = ascii(pack);
    parts[3] = rCommit;
    for (int seat = 0; seat < commits.size(); seat++) {
      parts[4 + seat] = commits.get(seat);
    }
    return taggedHash("commit-set", parts);
  }

  /** The key from which the deck, its salts and the first seat come. */
  public static byte[] deckKey(byte[] cset, byte[] r, List<byte[]> seeds, Integer cut) {
    byte[][] parts = new byte[3 + seeds.size()][];
    parts[0] = r;
    for (int seat = 0; seat < seeds.size(); seat++) {
      parts[1 + seat] = seeds.get(seat);
    }
    parts[parts.length - 2] = cutBytes(cut);
    parts[parts.length - 1] = new byte[0];
    return hmac(taggedHash("deck-salt", cset), lp(parts));
  }

  /** The seat that is given the first card of the dealer draw. */
  public static int firstSeat(byte[] key) {
    return new ByteStream(key, "first-seat").below(4);
  }

  /** The permutation that a key gives to so many cards. */
  static int[] shuffled(byte[] key, int size) {
    ByteStream stream = new ByteStream(key, "deck-stream");
    int[] order = new int[size];
    Arrays.setAll(order, place -> place);
    for (int i = size - 1; i > 0; i--) {
      int j = stream.below(i + 1);
      int held = order[i];
      order[i] = order[j];
      order[j] = held;
    }
    return order;
  }

  /** The salted leaf of one card at one position. */
  public static byte[] leaf(byte[] match, long deal, long position, String card, byte[] salt) {
    byte[] body = tagged("leaf", match, u32(deal), u32(position), ascii(card), salt);
    return sha256(new byte[] {0}, body);
  }

  /** The salt of the leaf at a position. */
  public static byte[] leafSalt(byte[] key, int position) {
    return hmac(key, tagged("leaf-salt", u32(position)));
  }

  /** The RFC 6962 tree head over leaves that are hashed already; there is at least one. */
  public static byte[] treeHead(List<byte[]> leaves) {
    if (leaves.size() == 1) {
      return leaves.get(0);
    }
    int split = Integer.highestOneBit(leaves.size() - 1);
    byte[] left = treeHead(leaves.subList(0, split));
    byte[] right = treeHead(leaves.subList(split, leaves.size()));
    return sha256(new byte[] {1}, left, right);
  }

  /** The commitment of cards that stay face down, in rising position, each with its blind. */
  public static byte[] hiddenMove(
      byte[] match, long deal, int seat, List<Long> positions, List<byte[]> blinds) {
    byte[][] parts = new byte[3 + 2 * positions.size()][];
    parts[0] = match;
    parts[1] = u32(deal);
    parts[2] = u32(seat);
    for (int card = 0; card < positions.size(); card++) {
      parts[3 + 2 * card] = u32(positions.get(card));
      parts[4 + 2 * card] = blinds.get(card);
    }
    return taggedHash("hidden-move", parts);
  }

  /** What the referee signs when it gives a seat its cards. */
  public static byte[] privateDealBytes(
      byte[] match, long deal, int seat, byte[] root, List<Opened> cards) {
    byte[][] parts = new byte[4 + 3 * cards.size()][];
    parts[0] = match;
    parts[1] = u32(deal);
    parts[2] = u32(seat);
    parts[3] = root;
    for (int i = 0; i < cards.size(); i++) {
      Opened card = cards.get(i);
      parts[4 + 3 * i] = u32(card.position());
      parts[5 + 3 * i] = ascii(card.card());
      parts[6 + 3 * i] = card.salt();
    }
    return tagged("private-deal", parts);
  }

  /** The head of the event chain once an event has been appended. */
  public static byte[] eventHead(byte[] previous, byte[] event) {
    return taggedHash("event", previous, event);
  }

  /** What the referee signs for the event that made a head. */
  public static byte[] refereeSignedBytes(byte[] head) {
    return tagged("sig/referee", head);
  }

  /** What a signing seat signs of its reveal; {@code head} is the head after commit_set. */
  public static byte[] revealSignedBytes(
      byte[] match, long deal, int seat, byte[] cset, byte[] commit, byte[] head) {
    return tagged("sig/seat/reveal", match, u32(deal), u32(seat), cset, commit, head);
  }

  /**
   * What a signing seat signs of a move; {@code before} is the head that it follows. A hidden move
   * is its word and the hex of its commitment.
   */
  public static byte[] moveSignedBytes(
      byte[] match, long deal, long seq, byte[] before, String move) {
    return tagged("sig/seat/move", match, u32(deal), u32(seq), before, ascii(move));
  }

  /** What the referee signs for what it has accepted. */
  public static byte[] receiptBytes(List<ReceiptItem> items) {
    byte[][] parts = new byte[1 + 4 * items.size()][];
    parts[0] = u32(items.size());
    for (int i = 0; i < items.size(); i++) {
      ReceiptItem item = items.get(i);
      parts[1 + 4 * i] = item.match();
      parts[2 + 4 * i] = u32(item.deal());
      parts[3 + 4 * i] = u32(item.seq());
      parts[4 + 4 * i] = item.head();
    }
    return tagged("receipt", parts);
  }

  /** ASCII bytes; what is not ASCII becomes a question mark, which nobody signs. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] cutBytes(Integer cut) {
    return cut == null ? new byte[0] : new byte[] {cut.byteValue()};
  }

  private static byte[] u32(long number) {
    if (number >>> Integer.SIZE != 0) {
      throw new SealBrokenException(
          "the referee named the number " + number + ", which is more than the seal can hold");
    }
    return ByteBuffer.allocate(Integer.BYTES).putInt((int) number).array();
  }

  /** The parts, counted and each preceded by its length, so that no two lists collide. */
  static byte[] lp(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(u32(parts.length));
    for (byte[] part : parts) {
      out.writeBytes(u32(part.length));
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] tagged(String tag, byte[]... parts) {
    byte[][] all = new byte[parts.length + 1][];
    all[0] = ascii(PREFIX + tag);
    System.arraycopy(parts, 0, all, 1, parts.length);
    return lp(all);
  }

  private static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (GeneralSecurityException err) {
      throw new IllegalStateException("every Java has SHA-256", err);
    }
  }

  private static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(message);
    } catch (GeneralSecurityException err) {
      throw new IllegalStateException("every Java has HMAC-SHA-256", err);
    }
  }

  /** The bytes of a key's stream, without end. */
  private static final class ByteStream {
    private final byte[] key;
    private final String tag;
    private byte[] block = new byte[0];
    private int next;
    private int blocks;

    ByteStream(byte[] key, String tag) {
      this.key = key;
      this.tag = tag;
    }

    private int take() {
      if (next == block.length) {
        block = hmac(key, tagged(tag, u32(blocks++)));
        next = 0;
      }
      return Byte.toUnsignedInt(block[next++]);
    }

    /** A number below {@code bound}, each equally likely; {@code bound} is 1 to 256. */
    int below(int bound) {
      int limit = 256 - 256 % bound;
      int value = take();
      while (value >= limit) {
        value = take();
      }
      return value % bound;
    }
  }
}
