package euchre.bot.files;

import euchre.bot.Seat;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.errors.UsageException;
import euchre.bot.seal.Canonical;
import euchre.bot.seal.Hex;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a seat has bound itself to, one JSON line each, on disk before the referee hears of it.
 *
 * <p>Several processes may share the file, of other languages too: it is locked and read on before
 * each promise. In one match it is one seat's.
 *
 * <p>The file only grows, by whole lines at its end, and of two promises for one deal the first
 * stands: so it is sound also beside a process that cannot lock it, as Node's.
 */
public final class StateFile implements AutoCloseable {
  private final LineFile file;
  private final Seat seat;
  private final Map<String, Promises> matches = new HashMap<>();

  /** What one match holds us to, and in which seat. */
  private static final class Promises {
    private String seat;
    private String r0;
    private final Map<Long, Optional<Integer>> cuts = new HashMap<>();
    private final Map<Long, String> answered = new HashMap<>();
  }

  public StateFile(Path path, Seat seat) {
    this.file = new LineFile("the state", path);
    this.seat = seat;
    try {
      file.checkPrivate();
      locked(() -> null);
    } catch (UsageException err) {
      file.close();
      throw err;
    }
  }

  /** Refuse a file that is there and will not do. */
  public static void check(Path path) {
    new StateFile(path, null).close();
  }

  @Override
  public void close() {
    file.close();
  }

  /** Do something while the file is held alone, with everything in it known. */
  private <T> T locked(Supplier<T> work) {
    // The lock keeps other processes out, and is no good between the threads of one.
    synchronized (StateFile.class) {
      try {
        FileLock held = file.lock();
        try {
          readOn();
          return work.get();
        } finally {
          held.release();
        }
      } catch (IOException err) {
        throw file.cannot("use", err);
      }
    }
  }

  private void readOn() throws IOException {
    for (String line : lines(file.readOn())) {
      // What a crash has torn counts for nothing: nothing is sent before its line is flushed.
      if (!line.isEmpty() && !(line.startsWith("{") && !line.endsWith("}"))) {
        learn(line);
      }
    }
  }

  private static String[] lines(byte[] whole) {
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    return text.isEmpty() ? new String[0] : text.split("\n");
  }

  private void append(Map<String, Object> row) {
    try {
      file.append(row, true);
      readOn(); // and not only this line: another may have come before it
    } catch (IOException err) {
      throw file.cannot("write", err);
    }
  }

  private void learn(String line) {
    byte[] text = line.getBytes(StandardCharsets.ISO_8859_1);
    if (Canonical.parse(text).filter(this::learn).isEmpty()) {
      throw new UsageException(
          "the state '%s' holds a line that is not ours: '%.80s' (move the file away only if no"
                  .formatted(file.path(), line)
              + " match of yours is open)");
    }
  }

  /** Take a row in; false where it is none of ours. */
  private boolean learn(Map<String, Object> row) {
    if (!(row.get("match") instanceof String match) || !(row.get("deal") instanceof Long deal)) {
      return false;
    }
    Promises promises = matches.computeIfAbsent(match, unknown -> new Promises());
    if (row.get("cset") instanceof String cset) {
      promises.answered.putIfAbsent(deal, cset);
      return true;
    }
    if (!(row.get("r0") instanceof String r0)) {
      return false;
    }
    promises.r0 = promises.r0 == null ? r0 : promises.r0;
    if (promises.seat == null && row.get("seat") instanceof String word) {
      promises.seat = word;
    }
    promises.cuts.putIfAbsent(
        deal, row.get("cut") instanceof Long cut ? Optional.of(cut.intValue()) : Optional.empty());
    return true;
  }

  private Promises known(byte[] match) {
    return matches.getOrDefault(Hex.of(match), new Promises());
  }

  /** Refuse a match id that we know under another chain, or in another seat. */
  public void checkMatch(byte[] match, byte[] r0) {
    locked(
        () -> {
          checkKnownMatch(match, r0);
          return null;
        });
  }

  private void checkKnownMatch(byte[] match, byte[] r0) {
    Promises promises = known(match);
    if (promises.seat != null && !promises.seat.equals(seat.word())) {
      throw new UsageException(
          "the state '%s' is that of %s in this match: two seats with one secret have equal seeds"
                  .formatted(file.path(), promises.seat)
              + " (give each seat its own files)");
    }
    if (promises.r0 != null && !promises.r0.equals(Hex.of(r0))) {
      throw new SealBrokenException(
          "match " + Hex.of(match) + " was opened before with another r0: its seeds are spent");
    }
  }

  /** Write down what we are about to commit to; the cut that stands, if one was promised. */
  public Optional<Integer> promise(byte[] match, byte[] r0, long deal, Optional<Integer> cut) {
    return locked(
        () -> {
          checkKnownMatch(match, r0);
          Map<Long, Optional<Integer>> cuts = known(match).cuts;
          if (cuts.containsKey(deal)) {
            return cuts.get(deal);
          }
          Map<String, Object> row = row(match, deal);
          row.put("r0", Hex.of(r0));
          row.put("seat", seat.word());
          cut.ifPresent(place -> row.put("cut", place.longValue()));
          append(row);
          checkKnownMatch(match, r0);
          return known(match).cuts.get(deal);
        });
  }

  private static Map<String, Object> row(byte[] match, long deal) {
    Map<String, Object> row = new TreeMap<>();
    row.put("match", Hex.of(match));
    row.put("deal", deal);
    return row;
  }

  /** The cut that we have committed to for a deal, if any. */
  public Optional<Integer> promisedCut(byte[] match, long deal) {
    return locked(() -> known(match).cuts.getOrDefault(deal, Optional.empty()));
  }

  /** Refuse a commit set other than the one we have revealed a deal's seed for. */
  public void checkAnswer(byte[] match, long deal, byte[] cset) {
    locked(
        () -> {
          checkKnownAnswer(match, deal, cset);
          return null;
        });
  }

  private void checkKnownAnswer(byte[] match, long deal, byte[] cset) {
    String answered = known(match).answered.get(deal);
    if (answered != null && !answered.equals(Hex.of(cset))) {
      throw new SealBrokenException(
          "deal %d of match %s has a second commit set: %s after %s, which we answered"
              .formatted(deal, Hex.of(match), Hex.of(cset), answered));
    }
  }

  /** Write down the commit set that we are about to reveal for; a second one is refused. */
  public void answer(byte[] match, long deal, byte[] cset) {
    locked(
        () -> {
          checkKnownAnswer(match, deal, cset);
          if (!known(match).answered.containsKey(deal)) {
            Map<String, Object> row = row(match, deal);
            row.put("cset", Hex.of(cset));
            append(row);
            checkKnownAnswer(match, deal, cset);
          }
          return null;
        });
  }
}
