package euchre.bot.files;

import euchre.bot.errors.UsageException;
import euchre.bot.seal.Ed25519;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A seat's private key; nothing but its public half is ever shown. */
public final class SeatKey {
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN PRIVATE KEY-----\\s([A-Za-z0-9+/=\\s]*)-----END PRIVATE KEY-----\\s*");

  private final PrivateKey secret;
  private final byte[] open;

  private SeatKey(PrivateKey secret, byte[] open) {
    this.secret = secret;
    this.open = open;
  }

  /** The key in a PKCS8 PEM file, as {@code euchre-referee keygen} writes it. */
  public static SeatKey load(Path path) {
    byte[] held = PrivateFiles.readPrivate(path, "the key", PrivateFiles.LONGEST);
    String pem = new String(held, StandardCharsets.ISO_8859_1);
    Matcher form = PEM.matcher(pem);
    if (!form.find()) {
      throw unusable(path);
    }
    try {
      byte[] body = Base64.getMimeDecoder().decode(form.group(1));
      KeyFactory factory = KeyFactory.getInstance("Ed25519");
      return of(factory.generatePrivate(new PKCS8EncodedKeySpec(body)));
    } catch (GeneralSecurityException | IllegalArgumentException err) {
      throw unusable(path);
    }
  }

  private static UsageException unusable(Path path) {
    return new UsageException(
        "'%s' holds no Ed25519 key in PKCS8 PEM form (make one with euchre-referee keygen)"
            .formatted(path));
  }

  /**
   * A private key with its public half. The JDK has no call for that half, but its generator makes
   * the pair of whatever 32 bytes it is given as chance; that they are a pair is checked.
   */
  private static SeatKey of(PrivateKey secret) throws GeneralSecurityException {
    byte[] seed =
        ((EdECPrivateKey) secret).getBytes().orElseThrow(() -> new GeneralSecurityException());
    KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
    generator.initialize(NamedParameterSpec.ED25519, new Given(seed));
    byte[] encoded = generator.generateKeyPair().getPublic().getEncoded();
    byte[] open = Arrays.copyOfRange(encoded, encoded.length - Ed25519.KEY_BYTES, encoded.length);
    SeatKey key = new SeatKey(secret, open);
    if (!Ed25519.verifies(open, key.sign(open), open)) {
      throw new GeneralSecurityException("the generator made another key");
    }
    return key;
  }

  /** The public half, 32 bytes. */
  public byte[] open() {
    return open.clone();
  }

  /** The 64 bytes of the signature. */
  public byte[] sign(byte[] message) {
    try {
      Signature signer = Signature.getInstance("Ed25519");
      signer.initSign(secret);
      signer.update(message);
      return signer.sign();
    } catch (GeneralSecurityException err) {
      throw new IllegalStateException("a key that has signed before signs again", err);
    }
  }

  /** Bytes that are given, where a generator asks for chance. */
  private static final class Given extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;

    Given(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void nextBytes(byte[] wanted) {
      System.arraycopy(bytes, 0, wanted, 0, wanted.length);
    }
  }
}
