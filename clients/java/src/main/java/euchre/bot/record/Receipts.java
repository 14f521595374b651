package euchre.bot.record;

import euchre.bot.errors.SealBrokenException;
import euchre.bot.files.ReceiptFile;
import euchre.bot.seal.Ed25519;
import euchre.bot.seal.ReceiptItem;
import euchre.bot.seal.Seal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What the referee has acknowledged to one seat of one match. */
public final class Receipts implements AutoCloseable {
  private final byte[] match;
  private final byte[] key;
  private final ReceiptFile file;
  private final List<Due> due = new ArrayList<>();
  private final TreeMap<Long, byte[]> heads = new TreeMap<>();
  private final TreeMap<Long, byte[]> promised = new TreeMap<>();

  /** An input that was accepted; {@code seq} is absent where its event is still to come. */
  private record Due(long deal, OptionalLong seq) {
    boolean isCoveredBy(ReceiptItem item) {
      return deal == item.deal() && (seq.isEmpty() || seq.getAsLong() == item.seq());
    }
  }

  public Receipts(byte[] match, byte[] key, ReceiptFile file) {
    this.match = match;
    this.key = key;
    this.file = file;
  }

  @Override
  public void close() {
    file.close();
  }

  ReceiptFile file() {
    return file;
  }

  /**
   * An input of ours was accepted: a receipt for it has to come in the same message. {@code seq} is
   * the event it became or answered.
   */
  void accepted(long deal, OptionalLong seq) {
    due.add(new Due(deal, seq));
  }

  /** Check a receipt against the record as far as it is known, and keep it. */
  void take(List<ReceiptItem> items, byte[] sig) {
    if (!Ed25519.verifies(key, sig, Seal.receiptBytes(items))) {
      throw new SealBrokenException("a receipt has a signature that is not the referee's");
    }
    file.keep(items, sig);
    for (ReceiptItem item : items) {
      if (!Arrays.equals(item.match(), match)) {
        continue;
      }
      cover(item);
      compare(item.seq(), heads.get(item.seq()), item.head());
      compare(item.seq(), promised.get(item.seq()), item.head());
      if (!heads.containsKey(item.seq())) {
        promised.put(item.seq(), item.head());
      }
    }
  }

  private void cover(ReceiptItem item) {
    for (Iterator<Due> open = due.iterator(); open.hasNext(); ) {
      if (open.next().isCoveredBy(item)) {
        open.remove();
        return;
      }
    }
  }

  /** Insist on a receipt for everything that the message accepted. */
  void endOfMessage() {
    if (due.isEmpty()) {
      return;
    }
    Due first = due.get(0);
    String what =
        first.seq().isEmpty()
            ? "our commitment"
            : "what stands in event " + first.seq().getAsLong();
    throw new SealBrokenException(
        "deal %d: the referee accepted %s without a receipt".formatted(first.deal(), what));
  }

  /** An event has come: what was promised of it must hold. */
  void saw(long seq, byte[] head) {
    compare(seq, head, promised.remove(seq));
    heads.put(seq, head);
  }

  /** Let go of events that no receipt will name any more. */
  void forgetBefore(long seq) {
    heads.headMap(seq).clear();
  }

  private static void compare(long seq, byte[] head, byte[] other) {
    if (head != null && other != null && !Arrays.equals(head, other)) {
      throw new SealBrokenException(
          "event %d is not the one that the referee gave us a receipt for".formatted(seq)
              + " (the receipt is kept: it is the proof)");
    }
  }
}
