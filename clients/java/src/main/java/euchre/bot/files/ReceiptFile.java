package euchre.bot.files;

import euchre.bot.Seat;
import euchre.bot.seal.Canonical;
import euchre.bot.seal.Hex;
import euchre.bot.seal.Opened;
import euchre.bot.seal.ReceiptItem;
import euchre.bot.seal.Seal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The referee's receipts, one JSON line each, as {@code euchre-referee verify --receipts} reads
 * them. Private deals stand among them where they were wrong.
 */
public final class ReceiptFile implements AutoCloseable {
  private final LineFile file;

  public ReceiptFile(Path path) {
    file = new LineFile("the receipts", path);
    try {
      file.cutTornLine();
    } catch (IOException err) {
      throw file.cannot("open", err);
    }
  }

  /** Write down a receipt. */
  public void keep(List<ReceiptItem> items, byte[] sig) {
    List<Object> rows = new ArrayList<>();
    for (ReceiptItem item : items) {
      rows.add(
          Map.of(
              "match", Hex.of(item.match()),
              "deal", item.deal(),
              "seq", item.seq(),
              "head", Hex.of(item.head())));
    }
    write(Map.of("items", rows, "sig", Hex.of(sig)));
  }

  /** Write down cards that we were dealt; false where they are nothing that can be read. */
  public boolean keepDeal(
      byte[] match, long deal, Seat seat, byte[] root, List<Opened> cards, byte[] sig) {
    boolean readable = root.length == Seal.HASH;
    List<Object> rows = new ArrayList<>();
    for (Opened card : cards) {
      readable &= card.salt().length == Seal.HASH && Canonical.isText(card.card());
      rows.add(
          Map.of("card", card.card(), "position", card.position(), "salt", Hex.of(card.salt())));
    }
    if (!readable) {
      return false;
    }
    write(
        Map.of(
            "cards", rows,
            "deal", deal,
            "match", Hex.of(match),
            "root", Hex.of(root),
            "seat", seat.word(),
            "sig", Hex.of(sig)));
    return true;
  }

  private void write(Map<String, Object> row) {
    try {
      file.append(row, false);
    } catch (IOException err) {
      throw file.cannot("write", err);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
