package euchre.bot.seal;

import java.util.ArrayList;
import java.util.List;

/** A deck in deal order with the leaves that sealed it, and the seat a dealer draw starts at. */
public record SealedDeck(List<String> cards, List<byte[]> leaves, int firstSeat) {
  /** The deck of a deal, from everything that was revealed. */
  public static SealedDeck derive(
      byte[] match,
      long deal,
      List<String> pack,
      byte[] r,
      byte[] cset,
      List<byte[]> seeds,
      Integer cut) {
    byte[] key = Seal.deckKey(cset, r, seeds, cut);
    int size = pack.size();
    int[] order = Seal.shuffled(key, size);
    int shift = cut == null ? 0 : cut;
    List<String> cards = new ArrayList<>(size);
    List<byte[]> leaves = new ArrayList<>(size);
    for (int position = 0; position < size; position++) {
      String card = pack.get(order[(position + shift) % size]);
      cards.add(card);
      leaves.add(Seal.leaf(match, deal, position, card, Seal.leafSalt(key, position)));
    }
    return new SealedDeck(cards, leaves, Seal.firstSeat(key));
  }
}
