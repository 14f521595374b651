package euchre.bot.files;

import euchre.bot.errors.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that their owner alone may read. */
public final class PrivateFiles {
  /** More bytes than a file of one line has: a token, a secret, a request. */
  public static final int LONGEST_LINE = 1 << 12;

  /** More bytes than keys and certificates have, all that a machine trusts together too. */
  public static final int LONGEST = 1 << 20;

  /** The mode of a new file: 0600. */
  static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFiles() {}

  /** Where secrets and state lie unless flags say otherwise. */
  public static Path defaultFolder() {
    String home = System.getenv("XDG_STATE_HOME");
    Path state =
        home == null || home.isEmpty() ? Path.of(homeFolder(), ".local", "state") : Path.of(home);
    return state.resolve("euchre-bot");
  }

  private static String homeFolder() {
    String home = System.getenv("HOME");
    return home == null || home.isEmpty() ? System.getProperty("user.home") : home;
  }

  /** Make the folder of a file. */
  static void makeParent(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    try {
      if (folder != null && !Files.isDirectory(folder)) {
        Files.createDirectories(folder, OWNER_FOLDER);
      }
    } catch (IOException err) {
      throw new UsageException("cannot make the directory of '" + path + "': " + why(err), err);
    }
  }

  /** Put the name of a new file on the disk, which its own flush does not. */
  static void flushFolder(Path path) throws IOException {
    try (FileChannel folder =
        FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  /** Refuse a file that others may read. */
  static void checkPrivate(Path path) throws IOException {
    if (!OWNERS.containsAll(Files.getPosixFilePermissions(path))) {
      throw new UsageException("others may read '" + path + "': run chmod 600 on it");
    }
  }

  /** Refuse what is there and is no file, as a folder, a pipe and a device are none. */
  static void checkRegular(Path path, String what) {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new UsageException(what + " '" + path + "' is no regular file (name another)");
    }
  }

  /** All bytes of a file that a flag names; one that can be none of ours is refused. */
  public static byte[] read(Path path, String what, int most) {
    checkRegular(path, what);
    byte[] held;
    try (InputStream file = Files.newInputStream(path)) {
      held = file.readNBytes(most + 1);
    } catch (IOException err) {
      throw new UsageException("cannot read " + what + " '" + path + "': " + why(err), err);
    }
    if (held.length > most) {
      throw new UsageException(
          "%s '%s' is longer than %d bytes (name another)".formatted(what, path, most));
    }
    return held;
  }

  /** As {@code read}; a file that others may read is refused. */
  static byte[] readPrivate(Path path, String what, int most) {
    checkRegular(path, what);
    try {
      checkPrivate(path);
    } catch (IOException err) {
      throw new UsageException("cannot read " + what + " '" + path + "': " + why(err), err);
    }
    return read(path, what, most);
  }

  /** Write a line to a file that nobody else can read. */
  public static void write(Path path, String line) {
    try {
      try {
        Files.createFile(path, OWNER_ONLY);
      } catch (FileAlreadyExistsException err) {
        checkPrivate(path);
      }
      Files.writeString(path, line + "\n");
    } catch (IOException err) {
      throw new UsageException("cannot write '" + path + "': " + why(err), err);
    }
  }

  /** What went wrong with a file, in words; Java's own texts often hold the path alone. */
  public static String why(IOException err) {
    if (err instanceof java.nio.file.NoSuchFileException) {
      return "there is no such file";
    }
    if (err instanceof java.nio.file.AccessDeniedException) {
      return "we may not";
    }
    if (err instanceof FileAlreadyExistsException
        || err instanceof java.nio.file.NotDirectoryException) {
      return "something else is in the way";
    }
    if (err instanceof java.nio.file.FileSystemException told && told.getReason() != null) {
      return told.getReason();
    }
    return err.getMessage() == null ? err.getClass().getSimpleName() : err.getMessage();
  }
}
