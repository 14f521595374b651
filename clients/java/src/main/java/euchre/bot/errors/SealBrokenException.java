package euchre.bot.errors;

/** The referee's word does not hold: a seal, a signature or a promise is broken. */
public final class SealBrokenException extends BotException {
  public SealBrokenException(String message) {
    this(message, null);
  }

  public SealBrokenException(String message, Throwable cause) {
    super(3, message, cause);
  }
}
