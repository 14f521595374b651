package euchre.bot;

import euchre.bot.errors.UsageException;
import euchre.bot.files.PrivateFiles;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/** Where the referee is, and how it is dialed: in the clear, or over TLS. */
final class Transport {
  private static final Pattern ADDRESS =
      Pattern.compile("unix:.+|(?:[^\\s:/\\[\\]]+|\\[[0-9A-Fa-f:.]+\\]):\\d{1,5}");
  private static final Pattern LOCAL =
      Pattern.compile("unix:.*|(?:localhost|127(?:\\.\\d+){3}|\\[::1\\]):\\d+");
  private static final Logger GRPC = Logger.getLogger("io.grpc");
  private static final int LARGEST_PORT = 65_535;

  private final String referee;
  private final ChannelCredentials credentials;

  /** The files of TLS are read here; what does not go together is a UsageException. */
  Transport(
      String referee,
      Optional<Path> authority,
      Optional<Path> certificate,
      Optional<Path> certificateKey,
      boolean insecure) {
    checkAddress(referee);
    if (authority.isEmpty() && !insecure && !LOCAL.matcher(referee).matches()) {
      throw new UsageException(
          "'%s' is not this machine: a token goes there only over TLS".formatted(referee)
              + " (give --ca FILE, or --insecure to send it in the clear)");
    }
    boolean identified = certificate.isPresent() || certificateKey.isPresent();
    if (identified && (certificate.isEmpty() || certificateKey.isEmpty() || authority.isEmpty())) {
      throw new UsageException(
          "--cert, --cert-key and --ca go together: give all three, or --ca alone");
    }
    this.referee = referee;
    this.credentials =
        authority.isEmpty()
            ? InsecureChannelCredentials.create()
            : tls(authority.get(), certificate, certificateKey);
    GRPC.setLevel(Level.OFF); // what ends a connection is said by us, in one line
  }

  private static void checkAddress(String referee) {
    boolean sound = ADDRESS.matcher(referee).matches();
    if (sound && !referee.startsWith("unix:")) {
      sound = Integer.parseInt(referee.substring(referee.lastIndexOf(':') + 1)) <= LARGEST_PORT;
    }
    if (!sound) {
      throw new UsageException("not an address: '" + referee + "' (write HOST:PORT or unix:PATH)");
    }
  }

  private static ChannelCredentials tls(
      Path authority, Optional<Path> certificate, Optional<Path> certificateKey) {
    byte[] trusted = pem(authority, "the authority", "CERTIFICATE");
    TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
    try {
      builder.trustManager(new ByteArrayInputStream(trusted));
      if (certificate.isPresent()) {
        byte[] key = pem(certificateKey.orElseThrow(), "the certificate's key", "PRIVATE KEY");
        byte[] own = pem(certificate.get(), "the certificate", "CERTIFICATE");
        builder.keyManager(new ByteArrayInputStream(own), new ByteArrayInputStream(key));
      }
    } catch (IOException err) {
      throw new UsageException("the files of TLS cannot be read: " + err.getMessage(), err);
    }
    return builder.build();
  }

  /** A file in PEM form; whether its parts are sound is for TLS to say. */
  private static byte[] pem(Path path, String what, String kind) {
    byte[] held = PrivateFiles.read(path, what, PrivateFiles.LONGEST);
    if (!new String(held, StandardCharsets.ISO_8859_1).contains(kind + "-----")) {
      throw new UsageException(
          "%s '%s' holds no %s in PEM form (name another)"
              .formatted(what, path, kind.toLowerCase(Locale.ROOT)));
    }
    return held;
  }

  /** Where the referee is, as the flag said it. */
  String referee() {
    return referee;
  }

  /** A new connection: it does not inherit the waiting time of a broken one. */
  ManagedChannel connect() {
    try {
      // A dead network is noticed also while the others think.
      return Grpc.newChannelBuilder(referee, credentials)
          .keepAliveTime(20, TimeUnit.SECONDS)
          .keepAliveTimeout(10, TimeUnit.SECONDS)
          .build();
    } catch (IllegalArgumentException err) {
      throw new UsageException(
          "cannot dial '%s' with these files: %s (certificates and keys are PEM, the key PKCS8)"
              .formatted(referee, err.getMessage()),
          err);
    }
  }
}
