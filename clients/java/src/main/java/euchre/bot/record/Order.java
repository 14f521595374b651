package euchre.bot.record;

import java.util.Map;
import java.util.Set;

/** Which kinds of events may follow which: nothing is left out and nothing comes twice. */
final class Order {
  private static final Set<String> COMMITTING = Set.of("seat_commit", "commit_set", "deal_close");
  private static final Set<String> CARDS_OUT = Set.of("action", "deal_close");
  private static final Set<String> BETWEEN = Set.of("deal_open", "match_close");

  private static final Map<String, Set<String>> AFTER =
      Map.ofEntries(
          Map.entry("", Set.of("match_open")),
          Map.entry("match_open", BETWEEN),
          Map.entry("deal_open", COMMITTING),
          Map.entry("seat_commit", COMMITTING),
          Map.entry("commit_set", Set.of("reveal_set", "deal_close")),
          Map.entry("reveal_set", Set.of("deck_root")),
          Map.entry("deck_root", Set.of("dealer_draw", "turn_up")),
          Map.entry("dealer_draw", Set.of("deal_close")),
          Map.entry("turn_up", CARDS_OUT),
          Map.entry("action", CARDS_OUT),
          Map.entry("deal_close", BETWEEN),
          Map.entry("match_close", Set.of()));

  private String last = "";

  /** Take the next kind; one that may not come now is a SealBrokenException. */
  void take(Fields fields, String kind) {
    if (!AFTER.get(last).contains(kind)) {
      throw fields.fault("it cannot come after " + (last.isEmpty() ? "the beginning" : last));
    }
    last = kind;
  }
}
