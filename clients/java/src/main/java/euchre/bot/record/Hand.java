package euchre.bot.record;

import euchre.bot.Seat;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.seal.Opened;
import euchre.bot.seal.Seal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The cards of one deal that its seat has seen, each against the leaf that sealed it. */
final class Hand {
  /** A later card of the kitty or the partner, that a move has made due. */
  enum Awaited {
    NOTHING,
    SWAP,
    GIFT
  }

  private final Terms terms;
  private final long number;
  private Optional<Seat> dealer;
  private List<byte[]> leaves = List.of();
  private byte[] root = new byte[0];
  private final Map<String, Long> turned = new LinkedHashMap<>();
  private final Map<String, Long> held = new LinkedHashMap<>();
  private Awaited awaited = Awaited.NOTHING;

  Hand(Terms terms, long number, Optional<Seat> dealer) {
    this.terms = terms;
    this.number = number;
    this.dealer = dealer;
  }

  Optional<Seat> dealer() {
    return dealer;
  }

  void dealer(Seat drawn) {
    dealer = Optional.of(drawn);
  }

  void seal(List<byte[]> leaves, byte[] root) {
    this.leaves = leaves;
    this.root = root;
  }

  boolean isSealed() {
    return !leaves.isEmpty();
  }

  List<byte[]> leaves() {
    return leaves;
  }

  void await(Awaited what) {
    awaited = what;
  }

  /** A card that everybody sees. */
  void takeOpened(String where, Opened card) {
    check(where, card);
    turned.put(card.card(), card.position());
  }

  private void check(String where, Opened card) {
    if (card.position() >= leaves.size()) {
      throw new SealBrokenException(where + ": position " + card.position() + " has no leaf yet");
    }
    if (!terms.pack().contains(card.card())) {
      throw new SealBrokenException(where + ": '" + card.card() + "' is not a card of the pack");
    }
    byte[] made = Seal.leaf(terms.match(), number, card.position(), card.card(), card.salt());
    if (!Arrays.equals(made, leaves.get((int) card.position()))) {
      throw new SealBrokenException(
          "%s: %s at position %d is not the sealed card"
              .formatted(where, card.card(), card.position()));
    }
  }

  /**
   * Cards of ours: the five at our places in the deal, then what a move has given us. A swap gives
   * the first three of the kitty; a lone player is given one card by the partner.
   */
  void takePrivateDeal(byte[] said, List<Opened> cards) {
    String where = "the private deal of deal " + number;
    if (!isSealed() || !Arrays.equals(root, said)) {
      throw new SealBrokenException(where + ": its root is not that of the deck");
    }
    if (dealer.isEmpty() || number == 0) {
      throw new SealBrokenException(where + ": the dealer draw deals no hands");
    }
    List<Long> places = cards.stream().map(Opened::position).toList();
    if (!isDue(dealer.get(), places)) {
      throw new SealBrokenException(
          "%s: positions %s are not those of %s".formatted(where, places, terms.seat().word()));
    }
    cards.forEach(card -> check(where, card));
    cards.forEach(card -> held.put(card.card(), card.position()));
    awaited = Awaited.NOTHING;
  }

  /** Whether cards at these positions may come to us now; what we hold may come again. */
  private boolean isDue(Seat from, List<Long> places) {
    if (held.isEmpty()) {
      return places.equals(Dealing.positions(terms.packets(), from, terms.seat()));
    }
    if (held.values().containsAll(places)) {
      return true;
    }
    return switch (awaited) {
      case NOTHING -> false;
      case SWAP -> places.equals(Dealing.SWAP_POSITIONS);
      case GIFT -> places.size() == 1;
    };
  }

  /** The cards that a view shows as ours, against those that were sealed for us. */
  void checkView(List<String> shown) {
    if (held.isEmpty() && !shown.isEmpty()) {
      throw new SealBrokenException(
          "deal " + number + ": we are asked to act but were shown no sealed cards");
    }
    Set<String> ours = new HashSet<>(held.keySet());
    if (dealer.filter(terms.seat()::equals).isPresent()) {
      ours.addAll(turned.keySet());
    }
    for (String card : shown) {
      if (!ours.contains(card)) {
        throw new SealBrokenException(
            "deal %d: '%s' in our view was not dealt to us".formatted(number, card));
      }
    }
  }

  /** Where a card of ours lay in the deal; the upcard counts as ours. */
  Optional<Long> positionOf(String card) {
    return Optional.ofNullable(turned.getOrDefault(card, held.get(card)));
  }
}
