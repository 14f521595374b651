package euchre.bot.seal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The packs: their cards in the order that the shuffle begins with. */
public final class Pack {
  private static final Map<String, List<String>> PACKS = new LinkedHashMap<>();

  static {
    PACKS.put("E24", cards("9TJQKA"));
    PACKS.put("E25", cards("9TJQKA", "2S"));
    PACKS.put("E28", cards("89TJQKA"));
    PACKS.put("E32", cards("789TJQKA"));
    PACKS.put("E25J", cards("9TJQKA", "BB"));
    PACKS.put("E33J", cards("789TJQKA", "BB"));
  }

  private Pack() {}

  /** The cards of a pack, if there is one of that name. */
  public static Optional<List<String>> of(String name) {
    return Optional.ofNullable(PACKS.get(name));
  }

  private static List<String> cards(String ranks, String... more) {
    List<String> cards = new ArrayList<>();
    for (char suit : "CDHS".toCharArray()) {
      for (char rank : ranks.toCharArray()) {
        cards.add("" + rank + suit);
      }
    }
    cards.addAll(List.of(more));
    return List.copyOf(cards);
  }
}
