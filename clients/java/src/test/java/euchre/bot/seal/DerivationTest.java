package euchre.bot.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import euchre.bot.Vectors;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.errors.UsageException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The shared claims about the seal's bytes, as far as the client judges such things. */
final class DerivationTest {
  private static final List<String> JUDGED =
      List.of(
          "link",
          "seed",
          "start",
          "event",
          "form",
          "key",
          "signature",
          "reveal",
          "move",
          "receipt");
  private static final List<String> DERIVED =
      List.of("commit", "commit_set", "deck", "opening", "hidden", "private_deal");

  private static Stream<JsonObject> cases(List<String> ops) {
    return Vectors.cases("tests/vectors/derivation-v1.json").stream()
        .filter(one -> ops.contains(one.get("op").getAsString()));
  }

  @TestFactory
  Stream<DynamicTest> aClaimIsJudgedAsItStates() {
    return cases(JUDGED)
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.get("id").getAsString(),
                    () -> assertEquals(isValid(one), holds(one), one::toString)));
  }

  @TestFactory
  Stream<DynamicTest> whatIsTrueIsDerivedAlike() {
    return cases(DERIVED)
        .filter(DerivationTest::isValid)
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.get("id").getAsString(), () -> assertTrue(holds(one), one::toString)));
  }

  @Test
  void everyOpHasClaimsOfBothKinds() {
    for (String op : JUDGED) {
      assertTrue(cases(List.of(op)).anyMatch(DerivationTest::isValid), op);
      assertFalse(cases(List.of(op)).allMatch(DerivationTest::isValid), op);
    }
    assertEquals(DERIVED.size(), cases(DERIVED).map(one -> one.get("op")).distinct().count());
  }

  private static boolean isValid(JsonObject one) {
    return one.get("result").getAsString().equals("valid");
  }

  private static boolean holds(JsonObject one) {
    try {
      return new Claim(one.getAsJsonObject("input")).holds(one.get("op").getAsString());
    } catch (SealBrokenException err) {
      return false;
    }
  }

  /** The parts of a claim. */
  private record Claim(JsonObject given) {
    boolean holds(String op) {
      return switch (op) {
        case "link" -> same(Seal.chainStep(raw("match"), number("k"), raw("link")), "below");
        case "seed" -> same(Seal.seatSeed(raw("secret"), raw("match"), number("deal")), "seed");
        case "start" -> Seal.firstSeat(raw("key")) == number("seat");
        case "event" -> same(Seal.eventHead(raw("prev"), Seal.ascii(text("event"))), "head");
        case "form" ->
            Canonical.parse(text("text").getBytes(StandardCharsets.ISO_8859_1)).isPresent();
        case "key" -> key().isPresent();
        case "signature" -> isSigned(raw("message"));
        case "reveal" ->
            isSigned(
                Seal.revealSignedBytes(
                    raw("match"), number("deal"), seat(), raw("cset"), raw("commit"), raw("head")));
        case "move" ->
            isSigned(
                Seal.moveSignedBytes(
                    raw("match"), number("deal"), number("seq"), raw("prev"), text("move")));
        case "receipt" -> isSigned(Seal.receiptBytes(receiptItems()));
        case "commit" ->
            same(
                Seal.seatCommit(raw("match"), number("deal"), seat(), raw("seed"), cut()),
                "commit");
        case "commit_set" ->
            same(
                Seal.commitSet(
                    raw("match"), number("deal"), text("pack"), raw("r_commit"), list("commits")),
                "cset");
        case "deck" -> isDeck();
        case "opening" ->
            same(Seal.treeHead(list("leaves")), "root")
                && Arrays.equals(leaf(given), list("leaves").get((int) number("position")));
        case "hidden" ->
            same(
                Seal.hiddenMove(
                    raw("match"), number("deal"), seat(), numbers("positions"), list("blinds")),
                "commit");
        case "private_deal" ->
            isSigned(
                Seal.privateDealBytes(
                    raw("match"), number("deal"), seat(), raw("root"), openedCards()));
        default -> throw new IllegalArgumentException(op);
      };
    }

    private boolean isDeck() {
      byte[] cset =
          Seal.commitSet(
              raw("match"), number("deal"), text("pack"), raw("r_commit"), list("commits"));
      List<String> pack = Pack.of(text("pack")).orElseThrow();
      SealedDeck deck =
          SealedDeck.derive(
              raw("match"), number("deal"), pack, raw("r"), cset, list("seeds"), cut());
      return String.join(" ", deck.cards()).equals(text("deck"))
          && same(Seal.treeHead(deck.leaves()), "root");
    }

    private boolean same(byte[] made, String name) {
      return Arrays.equals(made, raw(name));
    }

    private String text(String name) {
      return given.get(name).getAsString();
    }

    private byte[] raw(String name) {
      return Hex.parse(text(name)).orElseThrow();
    }

    private long number(String name) {
      return given.get(name).getAsLong();
    }

    private int seat() {
      return given.get("seat").getAsInt();
    }

    private Integer cut() {
      return given.get("cut").isJsonNull() ? null : given.get("cut").getAsInt();
    }

    private List<JsonElement> elements(String name) {
      return given.getAsJsonArray(name).asList();
    }

    private List<byte[]> list(String name) {
      return elements(name).stream()
          .map(item -> Hex.parse(item.getAsString()).orElseThrow())
          .toList();
    }

    private List<Long> numbers(String name) {
      return elements(name).stream().map(JsonElement::getAsLong).toList();
    }

    private byte[] leaf(JsonObject card) {
      return Seal.leaf(
          raw("match"),
          number("deal"),
          card.get("position").getAsLong(),
          card.get("card").getAsString(),
          Hex.parse(card.get("salt").getAsString()).orElseThrow());
    }

    private List<Opened> openedCards() {
      return elements("cards").stream()
          .map(JsonElement::getAsJsonObject)
          .map(
              card ->
                  new Opened(
                      card.get("position").getAsLong(),
                      card.get("card").getAsString(),
                      Hex.parse(card.get("salt").getAsString()).orElseThrow()))
          .toList();
    }

    private List<ReceiptItem> receiptItems() {
      return elements("items").stream()
          .map(item -> new Claim(item.getAsJsonObject()))
          .map(
              item ->
                  new ReceiptItem(
                      item.raw("match"), item.number("deal"), item.number("seq"), item.raw("head")))
          .toList();
    }

    private Optional<byte[]> key() {
      try {
        return Optional.of(NamedKey.parse(text("key")).key());
      } catch (UsageException err) {
        return Optional.empty();
      }
    }

    private boolean isSigned(byte[] message) {
      return key().filter(key -> Ed25519.verifies(key, raw("sig"), message)).isPresent();
    }
  }
}
