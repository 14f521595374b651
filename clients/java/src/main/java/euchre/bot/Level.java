package euchre.bot;

import euchre.bot.errors.UsageException;

/** How much of the seal a seat's client does. */
public enum Level {
  /** Sends no seed: its seat is declined, and the match is unrated. */
  PLAYS,
  /** Sends seeds. */
  SEEDS,
  /** Also checks all that the referee says. */
  CHECKS,
  /** Also signs its reveals and moves. */
  SIGNS;

  /** The level as it is written on a command line and in match_open. */
  public String word() {
    return switch (this) {
      case PLAYS -> "plays";
      case SEEDS -> "seeds";
      case CHECKS -> "checks";
      case SIGNS -> "signs";
    };
  }

  /** The level of a word; anything else is a UsageException. */
  static Level of(String word) {
    for (Level level : values()) {
      if (level.word().equals(word)) {
        return level;
      }
    }
    throw new UsageException("not a level: '" + word + "' (use plays, seeds, checks or signs)");
  }

  /** The word, for messages. */
  @Override
  public String toString() {
    return word();
  }
}
