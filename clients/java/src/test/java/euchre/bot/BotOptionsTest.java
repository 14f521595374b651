package euchre.bot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import euchre.bot.errors.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The flags of a bot, and what is said of wrong ones. */
final class BotOptionsTest {
  @TempDir private Path folder;
  private Path token;

  @Command
  private static final class Flags extends BotOptions {}

  @BeforeEach
  void writeAToken() throws IOException {
    token = Files.writeString(folder.resolve("token"), "abc\n");
  }

  private Options read(String... words) {
    List<String> args = new ArrayList<>(List.of(words));
    if (!args.contains("--token-file")) {
      args.addAll(List.of("--token-file", token.toString()));
    }
    Flags flags = new Flags();
    new CommandLine(flags).parseArgs(args.toArray(String[]::new));
    return flags.read("bot");
  }

  private void assertRefused(String words, String... args) {
    UsageException refused = assertThrows(UsageException.class, () -> read(args));
    assertTrue(refused.getMessage().contains(words), refused.getMessage());
  }

  private String file(String name, String text, String mode) throws IOException {
    Path path = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    return path.toString();
  }

  @Test
  void withoutFlagsASeatChecks() {
    Options options = read();
    assertEquals(Level.CHECKS, options.level());
    assertEquals("bot", options.name());
    assertEquals("abc", options.token());
    assertEquals("127.0.0.1:8377", options.transport().referee());
  }

  @Test
  void aSeatKeyMakesTheSeatSign() {
    TestKey key = new TestKey();
    Options options = read("--seat-key", key.write(folder.resolve("seat.pem")).toString());
    assertEquals(Level.SIGNS, options.level());
    assertArrayEquals(key.open(), options.seatKey().orElseThrow().open());
  }

  @Test
  void signingAndTheKeyGoTogether() {
    assertRefused("do not go together", "--level", "signs");
    String key = new TestKey().write(folder.resolve("seat.pem")).toString();
    assertRefused("do not go together", "--level", "checks", "--seat-key", key);
  }

  @Test
  void aLevelThatIsNoneIsRefused() {
    assertRefused("not a level: 'CHECKS'", "--level", "CHECKS");
  }

  @Test
  void aTokenLeavesThisMachineOnlyOverTls() {
    assertRefused("only over TLS", "--referee", "referee.example:8377");
    assertEquals(
        "referee.example:8377",
        read("--referee", "referee.example:8377", "--insecure").transport().referee());
    for (String local : List.of("localhost:1", "127.0.0.9:1", "[::1]:1", "unix:/tmp/socket")) {
      assertEquals(local, read("--referee", local).transport().referee());
    }
  }

  @Test
  void anAddressThatIsNoneIsRefused() {
    for (String bad : List.of("localhost", "", "127.0.0.1:99999", "a b:1", "127.0.0.1:x")) {
      assertRefused("not an address", "--insecure", "--referee", bad);
    }
  }

  @Test
  void aNameOfOtherCharactersIsRefused() {
    for (String bad : List.of("", "a b", "a+b", "a\"b", "a\\b", "é", "x".repeat(33))) {
      assertRefused("not a name for a bot", "--name", bad);
    }
  }

  @Test
  void aTokenFileHoldsOneToken() throws IOException {
    assertRefused("holds no token", "--token-file", file("none", "\n", "rw-------"));
    assertRefused("holds no token", "--token-file", file("two", "a b\n", "rw-------"));
    assertRefused("there is no such file", "--token-file", folder.resolve("x").toString());
  }

  @Test
  void aKeyToPinHasToBeSound() {
    assertRefused("write name+id+base64", "--key", "referee");
    String weak = "referee+00000000+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    assertRefused("holds no Ed25519 key", "--referee-key", weak);
  }

  @Test
  void aSeatKeyThatOthersMayReadIsRefused() throws IOException {
    Path key = new TestKey().write(folder.resolve("seat.pem"));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertRefused("run chmod 600", "--seat-key", key.toString());
  }

  @Test
  void aSeatKeyOfAnotherKindIsRefused() throws IOException {
    String pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----\n";
    assertRefused("holds no Ed25519 key", "--seat-key", file("bad", pem, "rw-------"));
    assertRefused("holds no Ed25519 key", "--seat-key", file("no", "x", "rw-------"));
  }

  @Test
  void theFilesOfTlsGoTogether() throws IOException {
    String pem = file("c.pem", "x", "rw-------");
    assertRefused("go together", "--cert", pem);
    assertRefused("go together", "--cert", pem, "--cert-key", pem);
    assertRefused("there is no such file", "--ca", folder.resolve("x").toString());
  }

  @Test
  void anInvitationNeedsATokenFile() {
    Flags flags = new Flags();
    new CommandLine(flags).parseArgs("--invitation", "X");
    assertThrows(UsageException.class, () -> flags.read("bot"));
  }

  @Test
  void aWordThatIsNoFlagEndsWithStatusTwo() {
    assertThrows(ParameterException.class, () -> read("--refree", "x"));
    assertEquals(2, Bot.status(new Flags(), flags -> null, "bot", "--refree", "x"));
    assertEquals(2, Bot.status(new Flags(), flags -> null, "bot", "word"));
    assertEquals(0, Bot.status(new Flags(), flags -> null, "bot", "--help"));
  }

  @Test
  void eachSeatHasItsOwnFiles() {
    Options options = read("--name", "my.bot");
    Options.SeatFiles north = options.files("ab", Seat.NORTH);
    assertEquals("my_bot-north.secret", north.secret().getFileName().toString());
    assertEquals("my_bot-north.state.jsonl", north.state().getFileName().toString());
    assertTrue(north.receipts().endsWith("receipts/ab-north.jsonl"), north::toString);
  }
}
