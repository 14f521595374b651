package euchre.bot;

import euchre.bot.errors.UsageException;
import euchre.bot.files.PrivateFiles;
import euchre.bot.files.SeatKey;
import euchre.bot.seal.NamedKey;
import java.nio.file.Path;
import java.util.Optional;

/** Where to play, as whom, and with which files. */
record Options(
    Transport transport,
    String token,
    String name,
    Level level,
    Optional<SeatKey> seatKey,
    Optional<NamedKey> pinned,
    Optional<Path> secretFile,
    Optional<Path> stateFile,
    Optional<Path> receipts) {

  Options {
    if (!NamedKey.isName(name)) {
      throw new UsageException(
          "not a name for a bot: '%s' (1 to 32 printable ASCII characters".formatted(name)
              + " without space, \", \\ and +)");
    }
    if ((level == Level.SIGNS) != seatKey.isPresent()) {
      throw new UsageException(
          "level %s and --seat-key do not go together: give the key to sign with --level signs, or"
                  .formatted(level)
              + " neither");
    }
  }

  /** The files of a seat; no two seats share them unless they are named. */
  SeatFiles files(String match, Seat seat) {
    Path home = PrivateFiles.defaultFolder();
    String stem = name.replaceAll("[^A-Za-z0-9_-]", "_") + "-" + seat.word();
    Path state = stateFile.orElse(home.resolve(stem + ".state.jsonl"));
    Path folder = receipts.orElse(state.resolveSibling("receipts"));
    return new SeatFiles(
        secretFile.orElse(home.resolve(stem + ".secret")),
        state,
        folder.resolve(match + "-" + seat.word() + ".jsonl"));
  }

  /** Secret, state and receipts of a seat. */
  record SeatFiles(Path secret, Path state, Path receipts) {}
}
