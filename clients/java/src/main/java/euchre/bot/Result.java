package euchre.bot;

import euchre.bot.record.Fields;
import java.util.Optional;

/** How a match ended. */
public record Result(
    String match, String outcome, Optional<String> winner, long ns, long ew, long deals) {
  static Result of(String match, Fields close) {
    Fields score = close.child("score");
    return new Result(
        match,
        close.text("outcome"),
        close.has("winner") ? Optional.of(close.text("winner")) : Optional.empty(),
        score.number("ns"),
        score.number("ew"),
        close.number("deals"));
  }

  /** One line for the operator. */
  @Override
  public String toString() {
    return "match %s: %s, %s won, ns %d, ew %d, %d deals"
        .formatted(match, outcome, winner.orElse("nobody"), ns, ew, deals);
  }
}
