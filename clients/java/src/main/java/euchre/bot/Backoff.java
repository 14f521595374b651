package euchre.bot;

import euchre.bot.errors.RefereeLostException;
import java.time.Duration;

/** How long to wait before the referee is tried again, and when to give up. */
final class Backoff {
  /** The first wait, the longest one, and how long in all. */
  record Pace(Duration first, Duration most, Duration total) {
    static final Pace USUAL =
        new Pace(Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofSeconds(60));
  }

  private final String referee;
  private final Pace pace;
  private Duration next;
  private Duration retryAfter = Duration.ZERO;
  private Long awaySince;

  Backoff(String referee, Pace pace) {
    this.referee = referee;
    this.pace = pace;
    this.next = pace.first();
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
    if (awaySince == null) {
      awaySince = now + retryAfter.toNanos();
    }
    Duration wait = next.compareTo(retryAfter) > 0 ? next : retryAfter;
    if (now + wait.toNanos() - awaySince > pace.total().toNanos()) {
      throw new RefereeLostException(
          "gave up on %s after %d s: %s (start the bot again with the same files to go on)"
              .formatted(referee, pace.total().toSeconds(), fault));
    }
    retryAfter = Duration.ZERO;
    next = next.multipliedBy(2).compareTo(pace.most()) < 0 ? next.multipliedBy(2) : pace.most();
    Pause.of(wait);
  }
}
