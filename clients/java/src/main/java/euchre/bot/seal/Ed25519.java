package euchre.bot.seal;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Set;

/**
 * Ed25519 signatures, checked before the JDK sees them: under a weak key one signature fits every
 * message, and an encoding that is not the only one lets two signatures stand for one.
 */
public final class Ed25519 {
  /** Bytes of a public key. */
  public static final int KEY_BYTES = 32;

  /** Bytes of a signature. */
  public static final int SIGNATURE_BYTES = 64;

  private static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
  private static final BigInteger L =
      BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
  private static final BigInteger ORDER_EIGHT =
      new BigInteger("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16);

  /** The y of the eight points of small order. */
  private static final Set<BigInteger> SMALL_ORDER =
      Set.of(
          BigInteger.ZERO,
          BigInteger.ONE,
          P.subtract(BigInteger.ONE),
          ORDER_EIGHT,
          P.subtract(ORDER_EIGHT));

  /** What stands before the 32 bytes of a key in its X.509 form. */
  private static final byte[] X509_HEAD =
      Hex.parse("302a300506032b6570032100").orElseThrow(IllegalStateException::new);

  private Ed25519() {}

  /** Whether bytes are a public key that can be trusted to mean one signer. */
  public static boolean usable(byte[] key) {
    if (key.length != KEY_BYTES) {
      return false;
    }
    BigInteger y = y(key);
    return y.compareTo(P) < 0 && !SMALL_ORDER.contains(y);
  }

  /** Whether a signature is this key's over the message; malleable forms are refused. */
  public static boolean verifies(byte[] key, byte[] signature, byte[] message) {
    if (signature.length != SIGNATURE_BYTES || !usable(key)) {
      return false;
    }
    byte[] point = Arrays.copyOf(signature, KEY_BYTES);
    byte[] scalar = Arrays.copyOfRange(signature, KEY_BYTES, SIGNATURE_BYTES);
    if (y(point).compareTo(P) >= 0 || littleEndian(scalar).compareTo(L) >= 0) {
      return false;
    }
    try {
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(javaKey(key));
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException err) {
      return false;
    }
  }

  private static PublicKey javaKey(byte[] key) throws GeneralSecurityException {
    byte[] encoded = Arrays.copyOf(X509_HEAD, X509_HEAD.length + KEY_BYTES);
    System.arraycopy(key, 0, encoded, X509_HEAD.length, KEY_BYTES);
    return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
  }

  private static BigInteger y(byte[] point) {
    return littleEndian(point).clearBit(255);
  }

  private static BigInteger littleEndian(byte[] bytes) {
    byte[] turned = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      turned[i] = bytes[bytes.length - 1 - i];
    }
    return new BigInteger(1, turned);
  }
}
