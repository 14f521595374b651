package euchre.bot.errors;

/** A flag, a file or an address is not usable. */
public final class UsageException extends BotException {
  public UsageException(String message) {
    this(message, null);
  }

  public UsageException(String message, Throwable cause) {
    super(2, message, cause);
  }
}
