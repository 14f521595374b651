package euchre.bot.bots;

import euchre.bot.Bot;
import euchre.bot.BotOptions;
import euchre.bot.Choose;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Picks among the legal actions by a hash: repeatable, and no better than chance. */
public final class RandomBot {
  private RandomBot() {}

  /** The flags of every bot, and the seed. */
  @Command
  static final class Flags extends BotOptions {
    @Option(
        names = "--seed",
        paramLabel = "SEED",
        defaultValue = "0",
        description = "another seed gives another game (default: ${DEFAULT-VALUE})")
    private String seed;
  }

  /** A bot that answers one question always alike, and differently for another seed. */
  public static Choose withSeed(String seed) {
    return (view, legal) -> {
      String moment =
          String.join(
              "/", seed, view.match(), Long.toString(view.stateVersion() + 1), view.seat().word());
      long drawn = Integer.toUnsignedLong(ByteBuffer.wrap(sha256(moment)).getInt());
      List<String> sorted = legal.stream().sorted().toList();
      return sorted.get((int) (drawn % sorted.size()));
    };
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    } catch (NoSuchAlgorithmException err) {
      throw new IllegalStateException("every Java has SHA-256", err);
    }
  }

  /** Play one match. */
  public static void main(String... args) {
    Bot.run(new Flags(), flags -> withSeed(flags.seed), "random", args);
  }
}
