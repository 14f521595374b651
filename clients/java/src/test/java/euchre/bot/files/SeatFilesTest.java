package euchre.bot.files;

import static euchre.bot.record.ScriptedMatch.filled;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import euchre.bot.Seat;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.errors.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a seat keeps: in the form of all clients, for its owner alone, and never unsaid. */
final class SeatFilesTest {
  private static final byte[] MATCH = filled(16, 0xab);
  private static final byte[] R0 = filled(32, 0xcd);
  private static final byte[] CSET = filled(32, 0xef);

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("made").resolve("file");
  }

  private StateFile state(Seat seat) {
    return new StateFile(path, seat);
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aSecretIsMadeOnceForItsOwnerAlone() throws IOException {
    byte[] made = SecretFile.load(path, new SecureRandom());
    assertArrayEquals(made, SecretFile.load(path, new SecureRandom()));
    assertEquals("rw-------", mode(path));
    assertTrue(Files.readString(path).matches("[0-9a-f]{64}\n"));
    try (var left = Files.list(path.getParent())) {
      assertEquals(1, left.count());
    }
  }

  @Test
  void aSecretThatOthersMayReadIsRefused() throws IOException {
    SecretFile.load(path, new SecureRandom());
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    assertThrows(UsageException.class, () -> SecretFile.load(path, new SecureRandom()));
  }

  @Test
  void aSecretOfAnotherLengthIsRefused() throws IOException {
    PrivateFiles.makeParent(path);
    PrivateFiles.write(path, "abcd");
    assertThrows(UsageException.class, () -> SecretFile.load(path, new SecureRandom()));
  }

  @Test
  void promisesStandInTheFormOfAllClients() throws IOException {
    try (StateFile state = state(Seat.NORTH)) {
      state.promise(MATCH, R0, 1, Optional.of(7));
      state.promise(MATCH, R0, 2, Optional.empty());
      state.answer(MATCH, 1, CSET);
    }
    String match = "\"match\":\"" + "ab".repeat(16) + "\"";
    String r0 = "\"r0\":\"" + "cd".repeat(32) + "\",\"seat\":\"north\"}";
    assertEquals(
        List.of(
            "{\"cut\":7,\"deal\":1," + match + "," + r0,
            "{\"deal\":2," + match + "," + r0,
            "{\"cset\":\"" + "ef".repeat(32) + "\",\"deal\":1," + match + "}"),
        Files.readAllLines(path));
    assertEquals("rw-------", mode(path));
  }

  @Test
  void theCutThatWasPromisedFirstStands() {
    try (StateFile state = state(Seat.NORTH)) {
      state.promise(MATCH, R0, 1, Optional.of(7));
    }
    try (StateFile state = state(Seat.NORTH)) {
      assertEquals(Optional.of(7), state.promise(MATCH, R0, 1, Optional.of(8)));
      assertEquals(Optional.of(7), state.promisedCut(MATCH, 1));
    }
  }

  @Test
  void aSecondCommitSetIsRefusedAfterARestartToo() {
    try (StateFile state = state(Seat.NORTH)) {
      state.answer(MATCH, 1, CSET);
      state.answer(MATCH, 1, CSET);
    }
    try (StateFile state = state(Seat.NORTH)) {
      byte[] other = filled(32, 1);
      assertThrows(SealBrokenException.class, () -> state.checkAnswer(MATCH, 1, other));
      assertThrows(SealBrokenException.class, () -> state.answer(MATCH, 1, other));
    }
  }

  @Test
  void whatAnotherProcessHasPromisedIsReadBeforeEachPromise() {
    try (StateFile first = state(Seat.NORTH);
        StateFile second = state(Seat.NORTH)) {
      first.answer(MATCH, 1, CSET);
      byte[] other = filled(32, 1);
      assertThrows(SealBrokenException.class, () -> second.answer(MATCH, 1, other));
    }
  }

  @Test
  void aMatchUnderAnotherChainIsRefused() {
    try (StateFile state = state(Seat.NORTH)) {
      state.promise(MATCH, R0, 1, Optional.empty());
      assertThrows(SealBrokenException.class, () -> state.checkMatch(MATCH, CSET));
      assertThrows(
          SealBrokenException.class, () -> state.promise(MATCH, CSET, 2, Optional.empty()));
    }
  }

  @Test
  void inOneMatchTheFileIsOneSeats() {
    try (StateFile state = state(Seat.NORTH)) {
      state.promise(MATCH, R0, 1, Optional.empty());
    }
    try (StateFile state = state(Seat.SOUTH)) {
      assertThrows(UsageException.class, () -> state.checkMatch(MATCH, R0));
      state.checkMatch(filled(16, 1), R0);
    }
  }

  @Test
  void aTornLineCountsForNothingAndIsLeftWhereItIs() throws IOException {
    try (StateFile state = state(Seat.NORTH)) {
      state.promise(MATCH, R0, 1, Optional.of(3));
    }
    String torn = "{\"cset\":\"" + "ab".repeat(500);
    Files.writeString(path, torn, StandardOpenOption.APPEND);
    try (StateFile state = state(Seat.NORTH)) {
      assertEquals(Optional.of(3), state.promisedCut(MATCH, 1));
      state.answer(MATCH, 1, CSET);
    }
    assertEquals(3, Files.readAllLines(path).size());
    try (StateFile state = state(Seat.NORTH)) {
      assertThrows(SealBrokenException.class, () -> state.checkAnswer(MATCH, 1, R0));
    }
  }

  @Test
  void aLineThatIsNotOursIsRefused() throws IOException {
    for (String line : List.of("x", "[]", "{}", "{\"deal\":1,\"match\":\"ab\"}")) {
      PrivateFiles.makeParent(path);
      PrivateFiles.write(path, line);
      assertThrows(UsageException.class, () -> state(Seat.NORTH), line);
    }
  }

  @Test
  void aStateThatOthersMayReadIsRefused() throws IOException {
    state(Seat.NORTH).close();
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThrows(UsageException.class, () -> state(Seat.NORTH));
  }
}
