package euchre.bot.files;

import euchre.bot.errors.UsageException;
import euchre.bot.seal.Canonical;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A private file of JSON lines, which are added at its end, each in one piece. */
final class LineFile implements AutoCloseable {
  private static final Set<StandardOpenOption> READ_WRITE =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final String what;
  private final Path path;
  private final FileChannel channel;
  private final FileChannel appender; // no channel of Java's both reads and appends
  private long known;
  private boolean torn;

  /** Open the file, {@code what} it is in a message; a new one is made with the mode 0600. */
  LineFile(String what, Path path) {
    PrivateFiles.makeParent(path);
    PrivateFiles.checkRegular(path, what);
    this.what = what;
    this.path = path;
    try {
      channel = FileChannel.open(path, READ_WRITE, PrivateFiles.OWNER_ONLY);
      appender = FileChannel.open(path, StandardOpenOption.APPEND);
    } catch (IOException err) {
      throw cannot("open", err);
    }
  }

  UsageException cannot(String verb, IOException err) {
    return new UsageException(
        "cannot %s %s '%s': %s".formatted(verb, what, path, PrivateFiles.why(err)), err);
  }

  Path path() {
    return path;
  }

  /** Refuse a file that others may read, and put the name of a new one on the disk. */
  void checkPrivate() {
    try {
      PrivateFiles.checkPrivate(path);
      PrivateFiles.flushFolder(path);
    } catch (IOException err) {
      throw cannot("use", err);
    }
  }

  /** Hold the file alone until the lock is closed; another process needs it for a moment only. */
  FileLock lock() throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      FileLock held = channel.tryLock();
      if (held != null) {
        return held;
      }
      if (System.nanoTime() - end > 0) {
        throw new UsageException(
            "%s '%s' is held by another process".formatted(what, path)
                + " (wait for it to end, or give each bot its own --state-file)");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** The whole lines that have come since the last time. */
  byte[] readOn() throws IOException {
    channel.position(known);
    ByteArrayOutputStream news = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    while (channel.read(buffer) > 0) {
      news.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    }
    byte[] read = news.toByteArray();
    int whole = read.length;
    while (whole > 0 && read[whole - 1] != '\n') {
      whole--;
    }
    torn = whole < read.length;
    known += whole;
    return java.util.Arrays.copyOf(read, whole);
  }

  /** Cut off what a crash has left of a line, in a file that is ours alone. */
  void cutTornLine() throws IOException {
    readOn();
    if (torn) {
      channel.truncate(known);
      torn = false;
    }
  }

  /** Add a line; with {@code flush} it is on the disk before this returns. */
  void append(Map<String, Object> row, boolean flush) throws IOException {
    byte[] line = Canonical.dump(row);
    ByteBuffer whole = ByteBuffer.allocate(line.length + 2);
    if (torn) {
      whole.put((byte) '\n');
    }
    whole.put(line).put((byte) '\n').flip();
    while (whole.hasRemaining()) {
      appender.write(whole);
    }
    if (flush) {
      appender.force(true);
    }
  }

  @Override
  public void close() {
    try {
      appender.close();
      channel.close();
    } catch (IOException err) {
      throw cannot("close", err);
    }
  }
}
