package euchre.bot.seal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Restricted canonical JSON: the one spelling of an event, read strictly.
 *
 * <p>Values are {@code Boolean}, {@code Long}, {@code String}, {@code List} and {@code Map}. Every
 * value has exactly one spelling, so that what is hashed and what is read cannot differ; a general
 * parser would let a second spelling pass.
 */
public final class Canonical {
  private static final long LARGEST = (1L << 53) - 1;
  private static final int LARGEST_DIGITS = 16;
  private static final int DEPTH = 6;
  private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9_]{0,31}");
  private static final Pattern TEXT = Pattern.compile("[ !#-\\[\\]-~]*");

  private Canonical() {}

  /** The fields of an object in canonical form, or nothing. */
  public static Optional<Map<String, Object>> parse(byte[] text) {
    try {
      Reader reader = new Reader(text);
      Map<String, Object> fields = reader.object(0);
      return reader.atEnd() ? Optional.of(fields) : Optional.empty();
    } catch (FormException err) {
      return Optional.empty();
    }
  }

  /** Whether a text may stand in canonical JSON as it is. */
  public static boolean isText(String text) {
    return TEXT.matcher(text).matches();
  }

  /** The one spelling of a value that has one. */
  public static byte[] dump(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return Seal.ascii(out.toString());
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      String comma = "{";
      for (Map.Entry<?, ?> entry : new TreeMap<>(map).entrySet()) {
        out.append(comma).append('"').append(entry.getKey()).append("\":");
        write(entry.getValue(), out);
        comma = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String comma = "[";
      for (Object item : list) {
        out.append(comma);
        write(item, out);
        comma = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof String text) {
      out.append('"').append(text).append('"');
    } else {
      out.append(value);
    }
  }

  /** The text is not canonical JSON. */
  private static final class FormException extends RuntimeException {
    FormException() {
      super(null, null, false, false);
    }
  }

  private static final class Reader {
    private final byte[] text;
    private int at;

    Reader(byte[] text) {
      this.text = text;
    }

    boolean atEnd() {
      return at == text.length;
    }

    private int peek() {
      return at < text.length ? text[at] : -1;
    }

    private boolean skip(char wanted) {
      if (peek() != wanted) {
        return false;
      }
      at++;
      return true;
    }

    private void expect(String wanted) {
      for (char letter : wanted.toCharArray()) {
        if (!skip(letter)) {
          throw new FormException();
        }
      }
    }

    Object value(int depth) {
      switch (peek()) {
        case '{':
          return object(depth);
        case '[':
          return list(depth);
        case '"':
          return string();
        case 't':
          expect("true");
          return true;
        case 'f':
          expect("false");
          return false;
        default:
          return number();
      }
    }

    private void open(char bracket, int depth) {
      if (depth >= DEPTH) {
        throw new FormException();
      }
      expect(String.valueOf(bracket));
    }

    private Map<String, Object> object(int depth) {
      open('{', depth);
      TreeMap<String, Object> fields = new TreeMap<>();
      if (skip('}')) {
        return fields;
      }
      do {
        String key = string();
        boolean inOrder = fields.isEmpty() || fields.lastKey().compareTo(key) < 0;
        if (!inOrder || !KEY.matcher(key).matches()) {
          throw new FormException();
        }
        expect(":");
        fields.put(key, value(depth + 1));
      } while (skip(','));
      expect("}");
      return fields;
    }

    private List<Object> list(int depth) {
      open('[', depth);
      List<Object> items = new ArrayList<>();
      if (skip(']')) {
        return items;
      }
      do {
        items.add(value(depth + 1));
      } while (skip(','));
      expect("]");
      return items;
    }

    private String string() {
      expect("\"");
      StringBuilder out = new StringBuilder();
      while (!skip('"')) {
        int letter = peek();
        if (letter < ' ' || letter > '~' || letter == '\\') {
          throw new FormException();
        }
        out.append((char) letter);
        at++;
      }
      return out.toString();
    }

    private Long number() {
      int start = at;
      while (peek() >= '0' && peek() <= '9') {
        at++;
      }
      int digits = at - start;
      if (digits == 0 || digits > LARGEST_DIGITS || (digits > 1 && text[start] == '0')) {
        throw new FormException();
      }
      long number = 0;
      for (int place = start; place < at; place++) {
        number = 10 * number + text[place] - '0';
      }
      if (number > LARGEST) {
        throw new FormException();
      }
      return number;
    }
  }
}
