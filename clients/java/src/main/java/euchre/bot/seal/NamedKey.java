package euchre.bot.seal;

import euchre.bot.errors.UsageException;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/** A public key with the name that its holder gave it, in the form that players pin. */
public record NamedKey(String name, byte[] key) {
  private static final Pattern NAME = Pattern.compile("[!#-*,-\\[\\]-~]{1,32}");
  private static final String FORM = "write name+id+base64, as the referee prints it";

  /** Whether a text can name a key or a bot: no space, quote, backslash or plus. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** The key in the form {@code name+id+base64}; anything else is a UsageException. */
  public static NamedKey parse(String text) {
    String[] parts = text.split("\\+", 3);
    if (parts.length != 3 || !isName(parts[0])) {
      throw new UsageException("not a referee key: '" + text + "' (" + FORM + ")");
    }
    NamedKey named = new NamedKey(parts[0], decoded(text, parts[2]));
    if (!named.id().equals(parts[1])) {
      throw new UsageException(
          "the referee key '%s' has the id '%s' of another key (copy it again; its own id is %s)"
              .formatted(text, parts[1], named.id()));
    }
    return named;
  }

  private static byte[] decoded(String text, String base64) {
    byte[] key;
    try {
      key = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException err) {
      throw new UsageException("not a referee key: '" + text + "' has no base64 (" + FORM + ")");
    }
    if (!Ed25519.usable(key) || !Base64.getEncoder().encodeToString(key).equals(base64)) {
      throw new UsageException(
          "not a referee key: '" + text + "' holds no Ed25519 key (" + FORM + ")");
    }
    return key;
  }

  private String id() {
    byte[] hash = Seal.taggedHash("key-id", Seal.ascii(name), key);
    return Hex.of(Arrays.copyOf(hash, 4));
  }

  /** The key as it is written on a command line. */
  public String text() {
    return name + "+" + id() + "+" + Base64.getEncoder().encodeToString(key);
  }
}
