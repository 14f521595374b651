package euchre.bot.bots;

import euchre.bot.Bot;
import euchre.bot.Seat;
import euchre.bot.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Plays as a careful beginner would: counts trumps, leads aces, wins cheaply. Its decisions are
 * those of clients/SENSIBLE.md, the same in every language.
 */
public final class SensibleBot {
  private static final int CALL = 11;
  private static final int NAME = 10;
  private static final int ALONE = 18;
  private static final int LAST = 3;
  private static final String PASS = "pass";

  private final View view;
  private final List<String> legal;
  private final Ranking ranking;

  private SensibleBot(View view, List<String> legal) {
    this.view = view;
    this.legal = legal;
    this.ranking = new Ranking(view.trump());
  }

  /** A sound action for the phase; where the phase is new to us, the first legal one. */
  public static String choose(View view, List<String> legal) {
    return new SensibleBot(view, legal).action();
  }

  /** Play one match. */
  public static void main(String... args) {
    Bot.run(SensibleBot::choose, "sensible", args);
  }

  private String action() {
    String wanted =
        switch (view.phase()) {
          case "house" -> "redeal";
          case "round_one" -> roundOne();
          case "round_two", "dealer_names" -> roundTwo();
          case "partners_best" -> gift();
          case "discard" -> "discard " + ranking.weakest(cards("discard"), view.hand());
          case "alone" -> alone();
          case "play" -> "play " + (view.trick().isEmpty() ? lead() : follow());
          default -> first();
        };
    return legal.contains(wanted) ? wanted : first();
  }

  /** The least of the legal actions by their bytes. */
  private String first() {
    return legal.stream().min(Comparator.naturalOrder()).orElseThrow();
  }

  /** The second words of the legal actions that begin with a word. */
  private List<String> cards(String word) {
    return legal.stream()
        .map(action -> action.split(" "))
        .filter(words -> words[0].equals(word) && words.length > 1)
        .map(words -> words[1])
        .toList();
  }

  private String call(String word, int value, int floor) {
    String alone = word + " alone";
    if (value >= ALONE && legal.contains(alone)) {
      return alone;
    }
    if (value >= floor) {
      Optional<String> called = Stream.of(word, alone).filter(legal::contains).findFirst();
      if (called.isPresent()) {
        return called.get();
      }
    }
    return PASS;
  }

  private String roundOne() {
    String upcard = view.upcard().orElseThrow();
    Ranking under = new Ranking(Optional.of(ranking.suitOf(upcard)));
    List<String> hand = new ArrayList<>(view.hand());
    int value = 0;
    if (view.dealer() == view.seat()) {
      hand.add(upcard);
      hand.remove(under.weakest(hand, hand));
    } else {
      value = view.dealer() == view.seat().partner() ? 1 : -2;
    }
    return call("order", value + under.worth(hand), CALL);
  }

  private String roundTwo() {
    String best = "";
    int most = -1;
    for (String suit : List.of("C", "D", "H", "S")) {
      int worth = new Ranking(Optional.of(suit)).worth(view.hand());
      if (cards("name").contains(suit) && worth >= most) {
        best = suit;
        most = worth;
      }
    }
    if (best.isEmpty()) {
      return "order";
    }
    return call("name " + best, most, legal.contains(PASS) ? NAME : 0);
  }

  private String gift() {
    return cards("give").stream().max(ranking.byHeight()).map(card -> "give " + card).orElse(PASS);
  }

  private String alone() {
    return ranking.worth(view.hand()) >= ALONE && legal.contains("alone") ? "alone" : "decline";
  }

  private String lead() {
    List<String> cards = cards("play");
    List<String> trumps = cards.stream().filter(ranking::isTrump).toList();
    Seat partner = view.seat().partner();
    boolean ours =
        view.maker().filter(maker -> maker == view.seat() || maker == partner).isPresent();
    String best = cards.stream().max(ranking.byHeight()).orElseThrow();
    if (ours && trumps.size() > 1 && ranking.height(best) >= Ranking.LEFT_BOWER) {
      return best;
    }
    return cards.stream()
        .filter(card -> Ranking.isAce(card) && !ranking.isTrump(card))
        .min(Comparator.naturalOrder())
        .orElseGet(() -> ranking.weakest(cards, view.hand()));
  }

  private String follow() {
    List<String> cards = cards("play");
    View.Played top = view.trick().get(0);
    for (View.Played played : view.trick()) {
      top = power(played.card()) > power(top.card()) ? played : top;
    }
    int toBeat = power(top.card());
    List<String> winners =
        cards.stream()
            .filter(card -> power(card) > toBeat)
            .sorted(Comparator.comparingInt(this::power).thenComparing(Comparator.naturalOrder()))
            .toList();
    boolean last = view.trick().size() + view.out().size() == LAST;
    boolean ours = top.seat() == view.seat().partner();
    if (winners.isEmpty() || (ours && (last || toBeat >= Ranking.PLAIN_ACE))) {
      return ranking.weakest(cards, view.hand());
    }
    String cheapest = winners.get(0);
    return last || ranking.isTrump(cheapest) ? cheapest : winners.get(winners.size() - 1);
  }

  /** How high a card stands in this trick: nothing beats by being of another suit. */
  private int power(String card) {
    String led = ranking.suitOf(view.led().orElseThrow());
    return ranking.isTrump(card) || ranking.suitOf(card).equals(led) ? ranking.height(card) : -1;
  }
}
