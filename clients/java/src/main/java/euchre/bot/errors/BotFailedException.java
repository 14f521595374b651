package euchre.bot.errors;

/** The bot's own function has thrown something, or answered nothing. */
public final class BotFailedException extends BotException {
  public BotFailedException(String message, Throwable cause) {
    super(1, message, cause);
  }
}
