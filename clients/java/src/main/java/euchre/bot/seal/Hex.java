package euchre.bot.seal;

import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Bytes as lower-case hex, the one way that they are written. */
public final class Hex {
  private static final HexFormat FORMAT = HexFormat.of();
  private static final Pattern FORM = Pattern.compile("(?:[0-9a-f]{2})*");

  private Hex() {}

  /** The hex of bytes. */
  public static String of(byte[] bytes) {
    return FORMAT.formatHex(bytes);
  }

  /** The bytes of a text, unless it is no lower-case hex. */
  public static Optional<byte[]> parse(String text) {
    return FORM.matcher(text).matches() ? Optional.of(FORMAT.parseHex(text)) : Optional.empty();
  }
}
