package euchre.bot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A bot's first match, against the referee of the tests: what it loads there goes into the archive
 * that later bots start from. The arguments are the command that starts the bot.
 */
final class Rehearsal {
  private Rehearsal() {}

  public static void main(String... command) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("rehearsal");
    int status;
    try (FakeReferee referee = new FakeReferee()) {
      List<String> words = new ArrayList<>(List.of(command));
      words.addAll(List.of("--name", "bot", "--referee", referee.address()));
      ProcessBuilder bot = new ProcessBuilder(words).redirectErrorStream(true);
      bot.environment().put("EUCHRE_TOKEN", FakeReferee.TOKEN);
      bot.environment().put("XDG_STATE_HOME", folder.toString());
      Process process = bot.start();
      String said = new String(process.getInputStream().readAllBytes());
      status = process.waitFor();
      if (status != 0) {
        System.err.println(said);
      }
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(file -> file.delete());
      }
    }
    System.exit(status);
  }
}
