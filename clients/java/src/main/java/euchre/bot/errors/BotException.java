package euchre.bot.errors;

/** The match cannot go on: the message says why and what to do. */
public abstract sealed class BotException extends RuntimeException
    permits BotFailedException,
        RefereeLostException,
        SealBrokenException,
        SeatTakenException,
        UsageException {
  private final int exitStatus;

  BotException(int exitStatus, String message, Throwable cause) {
    super(message, cause);
    this.exitStatus = exitStatus;
  }

  /** The status that the bot's process ends with. */
  public int exitStatus() {
    return exitStatus;
  }
}
