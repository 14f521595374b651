package euchre.bot.record;

import euchre.bot.Seat;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.seal.Canonical;
import euchre.bot.seal.Hex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The fields of an event, read with their types; a wrong one is a SealBrokenException. */
public final class Fields {
  private final String where;
  private final Map<?, ?> values;

  private Fields(String where, Map<?, ?> values) {
    this.where = where;
    this.values = values;
  }

  /** The fields of an event that is spelt in the one allowed way. */
  static Fields parse(String where, byte[] event) {
    return Canonical.parse(event)
        .map(values -> new Fields(where, values))
        .orElseThrow(
            () -> new SealBrokenException(where + " is not a JSON object in canonical form"));
  }

  /** The same fields under a name that says more. */
  Fields named(String name) {
    return new Fields(name, values);
  }

  /** What these are the fields of. */
  String where() {
    return where;
  }

  /** Whether a field is there. */
  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** A fault of these fields. */
  SealBrokenException fault(String what) {
    return new SealBrokenException(where + ": " + what);
  }

  private Object get(String key) {
    Object value = values.get(key);
    if (value == null) {
      throw new SealBrokenException(where + " has no " + key);
    }
    return value;
  }

  private SealBrokenException wrong(String key, String wanted) {
    return fault(key + " is not " + wanted);
  }

  /** A string. */
  public String text(String key) {
    if (get(key) instanceof String text) {
      return text;
    }
    throw wrong(key, "a string");
  }

  /** True or false. */
  boolean truth(String key) {
    if (get(key) instanceof Boolean truth) {
      return truth;
    }
    throw wrong(key, "true or false");
  }

  /** A whole number. */
  public long number(String key) {
    if (get(key) instanceof Long number) {
      return number;
    }
    throw wrong(key, "a number");
  }

  /** A seat, from its word. */
  Seat seat(String key) {
    String word = text(key);
    return Seat.of(word).orElseThrow(() -> wrong(key, "a seat but '" + word + "'"));
  }

  /** Bytes of a size, from lower-case hex. */
  byte[] octets(String key, int size) {
    return octets(key, get(key), size);
  }

  /** A list of so many bytes, each of one of the sizes. */
  List<byte[]> octetsList(String key, int count, int... sizes) {
    List<?> items = list(key);
    if (items.size() != count) {
      throw wrong(key, "a list of " + count + " but of " + items.size());
    }
    return items.stream().map(item -> octets(key, item, sizes)).toList();
  }

  private byte[] octets(String key, Object value, int... sizes) {
    byte[] found = value instanceof String text ? Hex.parse(text).orElse(null) : null;
    if (found != null && Arrays.stream(sizes).anyMatch(size -> size == found.length)) {
      return found;
    }
    String wanted =
        Arrays.stream(sizes).mapToObj(String::valueOf).collect(Collectors.joining(" or "));
    throw wrong(key, wanted + " bytes in lower-case hex");
  }

  private List<?> list(String key) {
    if (get(key) instanceof List<?> items) {
      return items;
    }
    throw wrong(key, "a list");
  }

  /** A list of whole numbers. */
  List<Long> numbers(String key) {
    List<Long> found = new ArrayList<>();
    for (Object item : list(key)) {
      if (!(item instanceof Long number)) {
        throw wrong(key, "a list of numbers");
      }
      found.add(number);
    }
    return found;
  }

  /** An object. */
  public Fields child(String key) {
    if (get(key) instanceof Map<?, ?> inner) {
      return new Fields(where + ", " + key, inner);
    }
    throw wrong(key, "an object");
  }

  /** A list of objects; none where the field is absent. */
  List<Fields> childrenOrNone(String key) {
    return has(key) ? children(key) : List.of();
  }

  /** A list of objects. */
  List<Fields> children(String key) {
    List<Fields> found = new ArrayList<>();
    for (Object item : list(key)) {
      if (!(item instanceof Map<?, ?> inner)) {
        throw wrong(key, "a list of objects");
      }
      found.add(new Fields(where + ", " + key + " " + found.size(), inner));
    }
    return found;
  }

  /** The whole object, where every value is a string. */
  Map<String, String> texts() {
    Map<String, String> found = new TreeMap<>();
    for (Object key : values.keySet()) {
      found.put(key.toString(), text(key.toString()));
    }
    return found;
  }
}
