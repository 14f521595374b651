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
import java.util.Map;
import java.util.Set;

/** A private file of JSON lines that only grows; a line that a crash has torn is cut off. */
final class LineFile implements AutoCloseable {
  private static final Set<StandardOpenOption> READ_WRITE =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);

  private final String what;
  private final Path path;
  private final FileChannel channel;

  /** Open the file, {@code what} it is in a message; a new one is made with the mode 0600. */
  LineFile(String what, Path path) {
    PrivateFiles.makeParent(path);
    this.what = what;
    this.path = path;
    try {
      channel = FileChannel.open(path, READ_WRITE, PrivateFiles.OWNER_ONLY);
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

  /** Hold the file alone until the lock is closed. */
  FileLock lock() throws IOException {
    return channel.lock();
  }

  /** The whole lines from where we stand; what is torn after them is cut off. */
  byte[] readOn() throws IOException {
    long start = channel.position();
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
    if (whole < read.length) {
      channel.truncate(start + whole);
      channel.position(start + whole);
    }
    return java.util.Arrays.copyOf(read, whole);
  }

  /** Add a line; with {@code flush} it is on the disk before this returns. */
  void append(Map<String, Object> row, boolean flush) throws IOException {
    byte[] line = Canonical.dump(row);
    ByteBuffer whole = ByteBuffer.allocate(line.length + 1).put(line).put((byte) '\n').flip();
    while (whole.hasRemaining()) {
      channel.write(whole);
    }
    if (flush) {
      channel.force(true);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException err) {
      throw cannot("close", err);
    }
  }
}
