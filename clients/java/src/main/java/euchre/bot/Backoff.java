package euchre.bot;

import euchre.bot.errors.RefereeLostException;
import java.time.Duration;
import java.util.function.Consumer;

/** How long to wait before the referee is tried again, and when to give up. */
final class Backoff {
  /** The first wait, the longest one, and how long in all. */
  record Pace(Duration first, Duration most, Duration total) {
    static final Pace USUAL =
        new Pace(Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofSeconds(60));
  }

  /** How often an operator is told that the referee is still away. */
  static final Duration TOLD_EVERY = Duration.ofSeconds(10);

  private final String referee;
  private final Pace pace;
  private final Consumer<String> say;
  private Duration next;
  private Duration retryAfter = Duration.ZERO;
  private Long awaySince;
  private long toldAt;

  Backoff(String referee, Pace pace, Consumer<String> say) {
    this.referee = referee;
    this.pace = pace;
    this.say = say;
    this.next = pace.first();
  }

  /** What the operator is told while nobody answers, and how long we go on trying. */
  static String noWord(String referee, String fault, Duration left, boolean still) {
    return "%s from %s (%s); trying again for %d s"
        .formatted(
            still ? "still no word" : "no word", referee, fault, Math.round(left.toMillis() / 1e3));
  }

  /** The referee has said when to come back. */
  void retryAfter(long ms) {
    retryAfter = Duration.ofMillis(Math.max(0, Math.min(ms, pace.total().toMillis())));
  }

  /** The referee is there. */
  void arrived() {
    awaySince = null;
    next = pace.first();
  }

  /** Wait before the next try, or give up. */
  void pause(String fault) {
    long now = System.nanoTime();
    boolean still = awaySince != null;
    if (!still) {
      awaySince = now + retryAfter.toNanos();
    }
    Duration left = pace.total().minusNanos(now - awaySince);
    if (!still || now - toldAt >= TOLD_EVERY.toNanos()) {
      toldAt = now;
      say.accept(noWord(referee, fault, left, still));
    }
    Duration wait = next.compareTo(retryAfter) > 0 ? next : retryAfter;
    if (wait.compareTo(left) > 0) {
      throw new RefereeLostException(
          "gave up on %s after %d s: %s (start the bot again with the same files to go on)"
              .formatted(referee, pace.total().toSeconds(), fault));
    }
    retryAfter = Duration.ZERO;
    next = next.multipliedBy(2).compareTo(pace.most()) < 0 ? next.multipliedBy(2) : pace.most();
    Pause.of(wait);
  }
}
