import euchre.bot.Bot;
import euchre.bot.View;
import java.util.List;

/** A Euchre bot: change {@code choose}. */
public class MyBot {
  /** Calls when we hold three of the suit; plays the first legal card. */
  static String choose(View view, List<String> legal) {
    String suit = view.upcard().map(card -> card.substring(1)).orElse("");
    long held = view.hand().stream().filter(card -> card.substring(1).equals(suit)).count();
    return legal.contains("order") && held > 2 ? "order" : legal.get(0);
  }

  public static void main(String... args) {
    Bot.run(MyBot::choose, "@NAME@", args);
  }
}
