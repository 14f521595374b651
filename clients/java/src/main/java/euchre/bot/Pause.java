package euchre.bot;

import euchre.bot.errors.RefereeLostException;
import java.time.Duration;

/** Waiting, where a wait that is cut short ends the bot. */
final class Pause {
  private Pause() {}

  static void of(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException err) {
      throw interrupted(err);
    }
  }

  static RefereeLostException interrupted(InterruptedException err) {
    Thread.currentThread().interrupt();
    return new RefereeLostException("stopped before the match was over", err);
  }
}
