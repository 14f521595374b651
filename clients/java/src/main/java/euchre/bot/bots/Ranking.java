package euchre.bot.bots;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What cards are good for under a trump: clients/SENSIBLE.md says each number. */
final class Ranking {
  /** The height of the other jack of the trump's color. */
  static final int LEFT_BOWER = 38;

  /** The height of an ace that is no trump. */
  static final int PLAIN_ACE = 7;

  private static final int RIGHT_BOWER = 39;
  private static final int BEST_BOWER = 40;
  private static final int TRUMP = 20;
  private static final int SUITS = 4;
  private static final String RANKS = "789TJQKA";
  private static final String SPADES = "S";
  private static final Set<String> BEST_BOWERS = Set.of("2S", "BB");
  private static final Map<String, String> COLOR_MATE =
      Map.of("C", "S", "S", "C", "D", "H", "H", "D");

  private final String trump;

  /** Cards under a trump: a suit, {@code N} for no trump, or none yet. */
  Ranking(Optional<String> trump) {
    this.trump = trump.filter(COLOR_MATE::containsKey).orElse("");
  }

  /** The suit that a card counts as. */
  String suitOf(String card) {
    boolean bestBower = BEST_BOWERS.contains(card);
    if (!trump.isEmpty() && (bestBower || card.equals("J" + COLOR_MATE.get(trump)))) {
      return trump;
    }
    return bestBower ? SPADES : card.substring(1);
  }

  boolean isTrump(String card) {
    return suitOf(card).equals(trump);
  }

  static boolean isAce(String card) {
    return card.charAt(0) == 'A';
  }

  /** How high a card stands: any trump above any plain card; within a suit as at the table. */
  int height(String card) {
    int rank = RANKS.indexOf(card.charAt(0));
    if (!isTrump(card)) {
      return BEST_BOWERS.contains(card) ? -1 : rank;
    }
    if (BEST_BOWERS.contains(card)) {
      return BEST_BOWER;
    }
    if (card.charAt(0) == 'J') {
      return card.endsWith(trump) ? RIGHT_BOWER : LEFT_BOWER;
    }
    return TRUMP + rank;
  }

  /** Cards by height, and of one height by their text. */
  Comparator<String> byHeight() {
    return Comparator.comparingInt(this::height).thenComparing(Comparator.naturalOrder());
  }

  /** What a hand is worth, in half trumps. */
  int worth(Collection<String> hand) {
    Set<String> suits = new HashSet<>();
    int value = SUITS;
    for (String card : hand) {
      suits.add(suitOf(card));
      value += worth(card);
    }
    return value - suits.size();
  }

  private int worth(String card) {
    int height = height(card);
    if (height >= RIGHT_BOWER) {
      return 6;
    }
    if (height == LEFT_BOWER) {
      return 5;
    }
    if (height >= TRUMP) {
      return isAce(card) || card.charAt(0) == 'K' ? 3 : 2;
    }
    return isAce(card) ? 2 : 0;
  }

  /** The card that is missed least: plain and low, from a short suit of the hand. */
  String weakest(Collection<String> cards, List<String> hand) {
    Comparator<String> cost =
        Comparator.comparing(this::isTrump)
            .thenComparing(Ranking::isAce)
            .thenComparing(
                card -> hand.stream().filter(held -> suitOf(held).equals(suitOf(card))).count())
            .thenComparing(byHeight());
    return cards.stream().min(cost).orElseThrow();
  }
}
