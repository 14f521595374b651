package euchre.bot;

import euchre.bot.record.Fields;
import java.util.Optional;

/**
 * How a match ended: {@code by} is the seat whose fault or wish it was; where the score counts
 * games, and not points, {@code last} is that of the game at hand, as the last closed deal left it.
 */
public record Result(
    String match,
    String outcome,
    Optional<String> by,
    Optional<String> winner,
    Score score,
    boolean games,
    Optional<Score> last,
    long deals) {

  /** What both sides have. */
  public record Score(long ns, long ew) {
    /** The score in the event that closes a deal or a match. */
    static Score of(Fields close) {
      Fields score = close.child("score");
      return new Score(score.number("ns"), score.number("ew"));
    }

    @Override
    public String toString() {
      return "ns %d ew %d".formatted(ns, ew);
    }
  }

  static Result of(String match, Fields close, boolean games, Optional<Score> last) {
    return new Result(
        match,
        close.text("outcome"),
        word(close, "by"),
        word(close, "winner"),
        Score.of(close),
        games,
        last,
        close.number("deals"));
  }

  private static Optional<String> word(Fields close, String key) {
    return close.has(key) ? Optional.of(close.text(key)) : Optional.empty();
  }

  /** One line for the operator, in the words that {@code euchre-referee match} ends with. */
  @Override
  public String toString() {
    String told = by.map(seat -> " by " + seat).orElse("") + ": " + won();
    if (games && last.isPresent()) {
      told += ", the last one " + last.get();
    }
    return "match %s: %s%s, after %d deal%s"
        .formatted(match, outcome, told, deals, deals == 1 ? "" : "s");
  }

  /** Who wins and by how much, the winner's count first. */
  private String won() {
    String unit = games ? "games" : "points";
    if (winner.isEmpty()) {
      return "nobody wins, %s in %s".formatted(score, unit);
    }
    boolean theirs = winner.get().equals("ew");
    long ours = theirs ? score.ew() : score.ns();
    return "%s wins %d-%d in %s"
        .formatted(winner.get(), ours, score.ns() + score.ew() - ours, unit);
  }
}
