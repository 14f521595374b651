package euchre.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import euchre.bot.FakeReferee.Upset;
import euchre.bot.errors.BotFailedException;
import euchre.bot.errors.RefereeLostException;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.errors.SeatTakenException;
import euchre.bot.errors.UsageException;
import euchre.bot.seal.NamedKey;
import euchre.referee.v1.Play;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The conversation of a seat with a referee over loopback. */
@Timeout(120)
final class SeatLoopTest {
  private static final Backoff.Pace PACE =
      new Backoff.Pace(Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofMinutes(1));

  @TempDir private Path folder;
  private final FakeReferee referee = new FakeReferee();
  private final List<String> said = new ArrayList<>();
  private final List<View> views = new ArrayList<>();

  @AfterEach
  void stop() {
    referee.close();
  }

  private Options options(String address, String token, Optional<NamedKey> pinned) {
    Optional<Path> none = Optional.empty();
    return new Options(
        new Transport(address, none, none, none, false),
        token,
        "bot",
        Level.CHECKS,
        Optional.empty(),
        pinned,
        Optional.of(folder.resolve("secret")),
        Optional.of(folder.resolve("state")),
        Optional.of(folder.resolve("receipts")));
  }

  private Result play(Options options, Backoff.Pace pace) {
    Choose pass =
        (view, legal) -> {
          views.add(view);
          return "pass";
        };
    try (SeatLoop loop = new SeatLoop(pass, options, said::add, new SecureRandom(), pace)) {
      return loop.play();
    }
  }

  private Result play(Upset... upsets) {
    referee.upsets.addAll(List.of(upsets));
    return play(options(referee.address(), FakeReferee.TOKEN, Optional.empty()), PACE);
  }

  private Play.PlayInput input(int place) {
    return referee.inputs.get(place);
  }

  @Test
  void aMatchIsPlayedToItsEnd() throws Exception {
    assertEquals("finished", play().outcome());
    assertEquals(3, referee.inputs.size());
    Path receipts = folder.resolve("receipts");
    try (var files = Files.list(receipts)) {
      List<String> lines = Files.readAllLines(files.findFirst().orElseThrow());
      assertEquals(3, lines.size());
    }
  }

  @Test
  void withoutAPinTheLineToPinIsSaid() {
    play();
    String line = "to pin it: --key " + referee.match.referee.text("referee");
    assertTrue(said.stream().anyMatch(words -> words.endsWith(line)), said::toString);
  }

  @Test
  void aKeyThatIsNotThePinnedOneIsRefused() {
    Optional<NamedKey> other = Optional.of(new NamedKey("referee", new TestKey().open()));
    Options options = options(referee.address(), FakeReferee.TOKEN, other);
    UsageException refused = assertThrows(UsageException.class, () -> play(options, PACE));
    assertTrue(refused.getMessage().contains("not the pinned one"), refused.getMessage());
    assertTrue(referee.inputs.isEmpty());
  }

  @Test
  void anotherKeyAfterALostConnectionIsRefused() {
    assertThrows(SealBrokenException.class, () -> play(Upset.NOTHING, Upset.OTHER_KEY));
    assertEquals(2, referee.inputs.size());
  }

  @Test
  void thePinnedKeyIsTakenWithoutAWarning() {
    Optional<NamedKey> key = Optional.of(new NamedKey("my", referee.match.referee.open()));
    play(options(referee.address(), FakeReferee.TOKEN, key), PACE);
    assertTrue(said.stream().noneMatch(words -> words.contains("warning")), said::toString);
  }

  @Test
  void anInputThatWasLostIsSentAgainUnderItsRequestId() {
    play(Upset.DROPPED, Upset.NOTHING, Upset.ANSWER_LOST);
    assertEquals(input(0), input(1));
    assertEquals(input(2), input(3));
    assertNotEquals(input(1).getRequestId(), input(2).getRequestId());
    assertEquals(3, referee.hellos.size());
  }

  @Test
  void aNewStreamGoesOnWhereTheOldOneStood() {
    play(Upset.NOTHING, Upset.DROPPED);
    assertEquals(0, referee.hellos.get(0).getResume());
    assertEquals(7, referee.hellos.get(1).getResume());
  }

  @Test
  void aRefusedActionIsAskedAgainWithTheReason() {
    play(Upset.NOTHING, Upset.NOTHING, Upset.REFUSED);
    assertEquals(2, views.size());
    assertEquals(Optional.empty(), views.get(0).refused());
    assertEquals("MUST_FOLLOW_SUIT", views.get(1).refused().orElseThrow().reason());
    assertNotEquals(input(2).getRequestId(), input(3).getRequestId());
  }

  @Test
  void aStaleAnswerIsDecidedAnew() {
    play(Upset.NOTHING, Upset.NOTHING, Upset.STALE);
    assertEquals(2, views.size());
    assertNotEquals(input(2).getRequestId(), input(3).getRequestId());
  }

  @Test
  void whatTheRefereeCannotTakeIsSentAgain() {
    play(Upset.UNAVAILABLE);
    assertEquals(input(0), input(1));
  }

  @Test
  void aDrainingRefereeIsComeBackTo() {
    assertEquals("finished", play(Upset.NOTHING, Upset.DRAINING).outcome());
    assertEquals(2, referee.hellos.size());
  }

  @Test
  void aSeatThatIsTakenOverIsLeft() {
    assertThrows(SeatTakenException.class, () -> play(Upset.NOTHING, Upset.SUPERSEDED));
  }

  @Test
  void anAcceptedInputWithoutAReceiptIsABrokenPromise() {
    assertThrows(SealBrokenException.class, () -> play(Upset.NO_RECEIPT));
  }

  @Test
  void anUnknownTokenIsAFaultOfTheFlags() {
    Options options = options(referee.address(), "bad", Optional.empty());
    assertThrows(UsageException.class, () -> play(options, PACE));
  }

  @Test
  void aBotThatThrowsEndsTheMatchWithOneLineThatSaysWhere() {
    failsWith(
        (view, legal) -> {
          throw new IllegalStateException("no\nidea");
        },
        "the bot failed: IllegalStateException: no idea at euchre.bot.SeatLoopTest.");
    failsWith(
        (view, legal) -> new ArrayList<>(legal).get(9),
        "IndexOutOfBoundsException: Index 9 out of bounds for length 2 at euchre.bot.SeatLoopTest.");
    failsWith((view, legal) -> null, "NullPointerException: it answered null at euchre.bot.");
    failsWith(
        (view, legal) -> {
          throw new NoClassDefFoundError();
        },
        "NoClassDefFoundError: it says no more at euchre.bot.SeatLoopTest.");
  }

  private void failsWith(Choose broken, String told) {
    Options options = options(referee.address(), FakeReferee.TOKEN, Optional.empty());
    try (SeatLoop loop = new SeatLoop(broken, options, said::add, new SecureRandom(), PACE)) {
      BotFailedException failed = assertThrows(BotFailedException.class, loop::play);
      String why = failed.getMessage();
      assertTrue(why.contains(told), why);
      assertFalse(why.contains("\n"), why);
      assertEquals(1, failed.exitStatus());
    }
  }

  @Test
  void aRefereeThatIsGoneIsGivenUp() {
    Backoff.Pace hasty =
        new Backoff.Pace(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(10));
    Options options = options(referee.address(), FakeReferee.TOKEN, Optional.empty());
    referee.close();
    RefereeLostException lost =
        assertThrows(RefereeLostException.class, () -> play(options, hasty));
    assertTrue(lost.getMessage().startsWith("gave up on 127.0.0.1"), lost.getMessage());
  }
}
