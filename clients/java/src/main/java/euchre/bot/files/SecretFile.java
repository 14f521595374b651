package euchre.bot.files;

import euchre.bot.errors.UsageException;
import euchre.bot.seal.Hex;
import euchre.bot.seal.Seal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Set;

/** The seat's 32-byte secret, from which all its seeds come; one line of hex. */
public final class SecretFile {
  private SecretFile() {}

  /** The secret in a file; made on first use, readable by its owner alone. */
  public static byte[] load(Path path, SecureRandom chance) {
    PrivateFiles.makeParent(path);
    try {
      if (!Files.exists(path)) {
        create(path, chance);
      }
    } catch (IOException err) {
      throw new UsageException(
          "cannot make the secret '" + path + "': " + PrivateFiles.why(err), err);
    }
    byte[] held = PrivateFiles.readPrivate(path, "the secret", PrivateFiles.LONGEST_LINE);
    String text = new String(held, StandardCharsets.US_ASCII).strip();
    return Hex.parse(text.toLowerCase(Locale.ROOT))
        .filter(secret -> secret.length == Seal.HASH)
        .orElseThrow(
            () ->
                new UsageException(
                    "the secret '" + path + "' does not hold 64 hex digits: restore it"));
  }

  /** Make the secret whole under another name first: a crash leaves no half of one. */
  private static void create(Path path, SecureRandom chance) throws IOException {
    Path draft = path.resolveSibling(path.getFileName() + "." + Hex.of(drawn(chance, 8)));
    Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try (FileChannel channel = FileChannel.open(draft, fresh, PrivateFiles.OWNER_ONLY)) {
      String line = Hex.of(drawn(chance, Seal.HASH)) + "\n";
      channel.write(ByteBuffer.wrap(Seal.ascii(line)));
      channel.force(true);
      Files.createLink(path, draft);
      PrivateFiles.flushFolder(path);
    } catch (FileAlreadyExistsException err) {
      // Another process was first; its secret is the one.
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static byte[] drawn(SecureRandom chance, int size) {
    byte[] bytes = new byte[size];
    chance.nextBytes(bytes);
    return bytes;
  }
}
