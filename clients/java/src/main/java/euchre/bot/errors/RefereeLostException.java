package euchre.bot.errors;

/** The referee could not be reached, or would not have us. */
public final class RefereeLostException extends BotException {
  public RefereeLostException(String message) {
    this(message, null);
  }

  public RefereeLostException(String message, Throwable cause) {
    super(1, message, cause);
  }
}
