package euchre.bot;

import euchre.bot.errors.BotException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The way from one function to a seat at the table. */
public final class Bot {
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private Bot() {}

  /**
   * Read the flags, play one match with {@code choose}, and exit with its status: 0 the match was
   * closed; 1 the referee was lost, or the bot failed; 2 a flag or file is wrong, or the key is not
   * the pinned one; 3 the seal does not hold; 4 another process took the seat.
   */
  public static void run(Choose choose, String name, String... args) {
    Flags flags = new Flags();
    run(flags, given -> choose, name, args);
  }

  /** As {@code run}, for a bot that has flags of its own beside those of every bot. */
  public static <F extends BotOptions> void run(
      F flags, Maker<F> bot, String name, String... args) {
    System.exit(status(flags, bot, name, args));
  }

  /** Makes a bot of the flags that were read. */
  @FunctionalInterface
  public interface Maker<F extends BotOptions> {
    /** The function that plays. */
    Choose with(F flags);
  }

  @Command
  private static final class Flags extends BotOptions {}

  static <F extends BotOptions> int status(F flags, Maker<F> bot, String name, String... args) {
    CommandLine command = new CommandLine(flags);
    command.setCommandName(name);
    command
        .getCommandSpec()
        .usageMessage()
        .description("Plays one Euchre match under a referee.")
        .width(100)
        .sortOptions(false);
    try {
      command.parseArgs(args);
    } catch (ParameterException err) {
      say(err.getMessage() + " (" + name + " --help lists the flags)");
      return USAGE;
    }
    if (command.isUsageHelpRequested()) {
      command.usage(new PrintWriter(System.out, true));
      return 0;
    }
    return guarded(bot.with(flags), flags, name);
  }

  /** Play one match and say how it ended; the exit status. */
  private static int guarded(Choose choose, BotOptions flags, String name) {
    AtomicBoolean over = new AtomicBoolean();
    Thread farewell =
        new Thread(
            () -> {
              if (!over.get()) {
                say("stopped; the seat stays ours: start again with the same files to go on");
              }
            });
    Runtime.getRuntime().addShutdownHook(farewell);
    try {
      SecureRandom chance = new SecureRandom();
      try (SeatLoop loop =
          new SeatLoop(choose, flags.read(name), Bot::say, chance, Backoff.Pace.USUAL)) {
        say(loop.play().toString());
      }
      return 0;
    } catch (BotException err) {
      say(err.getMessage());
      return err.exitStatus();
    } catch (RuntimeException err) {
      say("the bot failed: " + err);
      err.printStackTrace();
      return FAILED;
    } finally {
      over.set(true);
    }
  }

  /** Tell the operator, on standard error. */
  static void say(String line) {
    System.err.println("euchre-bot: " + line);
  }
}
