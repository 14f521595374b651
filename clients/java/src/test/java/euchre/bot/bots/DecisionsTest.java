package euchre.bot.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import euchre.bot.Choose;
import euchre.bot.Seat;
import euchre.bot.Vectors;
import euchre.bot.View;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Both bots against the decisions that all languages share. */
final class DecisionsTest {
  private static List<JsonObject> cases(String bot) {
    return Vectors.cases("clients/vectors/decisions-v1.json").stream()
        .filter(one -> one.get("bot").getAsString().equals(bot))
        .toList();
  }

  private static void assertDecidesAlike(JsonObject one, Choose bot) {
    View view = view(one.getAsJsonObject("view"));
    assertEquals(one.get("action").getAsString(), bot.choose(view, view.legal()), one::toString);
  }

  @Test
  void sensibleBotDecidesAsInEveryLanguage() {
    List<JsonObject> cases = cases("sensible");
    assertTrue(cases.size() > 500);
    cases.forEach(one -> assertDecidesAlike(one, SensibleBot::choose));
  }

  @Test
  void randomBotDecidesAsInEveryLanguage() {
    List<JsonObject> cases = cases("random");
    assertTrue(cases.size() > 30);
    cases.forEach(
        one -> assertDecidesAlike(one, RandomBot.withSeed(one.get("seed").getAsString())));
  }

  private static View view(JsonObject said) {
    return new View(
        said.get("match").getAsString(),
        said.get("deal").getAsLong(),
        said.get("state_version").getAsLong(),
        said.get("limit_ms").getAsLong(),
        seat(said.get("seat")),
        said.get("phase").getAsString(),
        seat(said.get("dealer")),
        texts(said.getAsJsonArray("hand")),
        counts(said.getAsJsonObject("counts")),
        text(said, "upcard"),
        text(said, "upcard_state"),
        text(said, "trump"),
        Optional.ofNullable(said.get("maker")).map(DecisionsTest::seat),
        seats(said.getAsJsonArray("alone")),
        seats(said.getAsJsonArray("out")),
        text(said, "led"),
        elements(said.getAsJsonArray("trick"))
            .map(JsonElement::getAsJsonObject)
            .map(card -> new View.Played(seat(card.get("seat")), card.get("card").getAsString()))
            .toList(),
        sides(said.getAsJsonObject("tricks")),
        sides(said.getAsJsonObject("score")),
        Optional.ofNullable(said.get("turn")).map(DecisionsTest::seat),
        texts(said.getAsJsonArray("legal")),
        Optional.empty());
  }

  private static Stream<JsonElement> elements(JsonArray array) {
    return array.asList().stream();
  }

  private static List<String> texts(JsonArray array) {
    return elements(array).map(JsonElement::getAsString).toList();
  }

  private static Optional<String> text(JsonObject said, String key) {
    return Optional.ofNullable(said.get(key)).map(JsonElement::getAsString);
  }

  private static Seat seat(JsonElement word) {
    return Seat.of(word.getAsString()).orElseThrow();
  }

  private static List<Seat> seats(JsonArray array) {
    return elements(array).map(DecisionsTest::seat).toList();
  }

  private static Map<Seat, Integer> counts(JsonObject said) {
    Map<Seat, Integer> counts = new EnumMap<>(Seat.class);
    said.asMap()
        .forEach((word, count) -> counts.put(Seat.of(word).orElseThrow(), count.getAsInt()));
    return counts;
  }

  private static View.Sides sides(JsonObject said) {
    return new View.Sides(said.get("ns").getAsInt(), said.get("ew").getAsInt());
  }
}
