package euchre.bot;

import euchre.bot.seal.Ed25519;
import euchre.bot.seal.NamedKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;

/** A key pair of a test, drawn anew. */
public final class TestKey {
  private final KeyPair pair;

  public TestKey() {
    try {
      pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException err) {
      throw new IllegalStateException(err);
    }
  }

  /** The public half, 32 bytes. */
  public byte[] open() {
    byte[] encoded = pair.getPublic().getEncoded();
    return Arrays.copyOfRange(encoded, encoded.length - Ed25519.KEY_BYTES, encoded.length);
  }

  /** The public half with a name, as it is printed. */
  public String text(String name) {
    return new NamedKey(name, open()).text();
  }

  public byte[] sign(byte[] message) {
    try {
      Signature signer = Signature.getInstance("Ed25519");
      signer.initSign(pair.getPrivate());
      signer.update(message);
      return signer.sign();
    } catch (GeneralSecurityException err) {
      throw new IllegalStateException(err);
    }
  }

  /** Write the private half as PKCS8 PEM; its path. */
  public Path write(Path path) {
    String body = Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded());
    String pem = "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n";
    try {
      Files.writeString(path, pem);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException err) {
      throw new UncheckedIOException(err);
    }
    return path;
  }
}
