package euchre.bot;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one seat has seen of a deal. What has no meaning yet is empty.
 *
 * @param match the match id in hex
 * @param deal the deal's number
 * @param stateVersion the seq of the newest event; the action will be the next one
 * @param limitMs how long the seat has, in milliseconds
 * @param phase {@code house}, {@code round_one}, {@code discard}, {@code round_two}, {@code
 *     dealer_names}, {@code partners_best}, {@code alone}, {@code play} or {@code over}
 * @param hand our own cards, as {@code JH} or {@code TD}
 * @param counts how many cards each seat holds
 * @param upcardState {@code turned}, {@code taken} or {@code turned_down}
 * @param trump {@code C}, {@code D}, {@code H} or {@code S}, or {@code N} for no trump
 * @param alone the seats that play alone
 * @param out the seats that sit out
 * @param trick the present trick, in the order it fell
 * @param score the running game's score before this deal
 * @param refused why the last answer to this very question was refused
 */
public record View(
    String match,
    long deal,
    long stateVersion,
    long limitMs,
    Seat seat,
    String phase,
    Seat dealer,
    List<String> hand,
    Map<Seat, Integer> counts,
    Optional<String> upcard,
    Optional<String> upcardState,
    Optional<String> trump,
    Optional<Seat> maker,
    List<Seat> alone,
    List<Seat> out,
    Optional<String> led,
    List<Played> trick,
    Sides tricks,
    Sides score,
    Optional<Seat> turn,
    List<String> legal,
    Optional<Refusal> refused) {

  /** A card on the table, and who played it. */
  public record Played(Seat seat, String card) {}

  /** A count for each side. */
  public record Sides(int ns, int ew) {}

  /** Why an action was refused: a reason of the closed list, and one plain sentence. */
  public record Refusal(String action, String reason, String text) {}
}
