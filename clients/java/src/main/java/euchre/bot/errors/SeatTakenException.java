package euchre.bot.errors;

/** Another process has taken the seat. */
public final class SeatTakenException extends BotException {
  public SeatTakenException(String message) {
    this(message, null);
  }

  public SeatTakenException(String message, Throwable cause) {
    super(4, message, cause);
  }
}
