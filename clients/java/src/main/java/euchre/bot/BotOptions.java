package euchre.bot;

import euchre.bot.errors.UsageException;
import euchre.bot.files.PrivateFiles;
import euchre.bot.files.SeatKey;
import euchre.bot.seal.NamedKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The flags that every bot has. A bot with flags of its own extends this class with them. */
public class BotOptions {
  private static final Pattern TOKEN = Pattern.compile("[!-~]+");

  @Option(
      names = "--referee",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8377",
      description = "where the referee is, or unix:PATH (default: ${DEFAULT-VALUE})")
  private String referee;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "file with the seat's token (or set EUCHRE_TOKEN)")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--invitation",
      paramLabel = "CODE",
      description = "take the seat of CODE; its token goes to the token file")
  private Optional<String> invitation = Optional.empty();

  @Option(names = "--name", paramLabel = "NAME", description = "the bot's name at the table")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "what we do for the seal: plays, seeds, checks, signs (default: checks)")
  private Optional<String> level = Optional.empty();

  @Option(
      names = "--seat-key",
      paramLabel = "FILE",
      description = "the seat's private key (PEM): sign every reveal and move")
  private Optional<Path> seatKey = Optional.empty();

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = "32 bytes of our seeds (default: a seat's in ~/.local/state/euchre-bot)")
  private Optional<Path> secretFile = Optional.empty();

  @Option(
      names = "--state-file",
      paramLabel = "FILE",
      description = "what we committed to (default: as for the secret)")
  private Optional<Path> stateFile = Optional.empty();

  @Option(
      names = "--receipts",
      paramLabel = "FOLDER",
      description = "folder for the referee's receipts (default: by the state)")
  private Optional<Path> receipts = Optional.empty();

  @Option(
      names = {"--key", "--referee-key"},
      paramLabel = "KEY",
      description = "the referee's public key to insist on: name+id+base64")
  private Optional<String> key = Optional.empty();

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "PEM file of the authority behind the referee's TLS certificate")
  private Optional<Path> authority = Optional.empty();

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description = "our own certificate (PEM), where the referee asks for one")
  private Optional<Path> certificate = Optional.empty();

  @Option(names = "--cert-key", paramLabel = "FILE", description = "its private key (PEM, PKCS8)")
  private Optional<Path> certificateKey = Optional.empty();

  @Option(names = "--insecure", description = "send the token in the clear to another machine")
  private boolean insecure;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help and exit")
  private boolean help;

  /** Refuse a flag with nothing in it, as {@code --ca "$CA"} has where there is no CA. */
  private void checkFilled() {
    Map<String, Optional<?>> given = new LinkedHashMap<>();
    given.put("--token-file", tokenFile);
    given.put("--invitation", invitation);
    given.put("--seat-key", seatKey);
    given.put("--secret-file", secretFile);
    given.put("--state-file", stateFile);
    given.put("--receipts", receipts);
    given.put("--ca", authority);
    given.put("--cert", certificate);
    given.put("--cert-key", certificateKey);
    given.forEach(
        (flag, value) -> {
          if (value.map(Object::toString).filter(String::isEmpty).isPresent()) {
            throw new UsageException(flag + " is empty (give it a value, or leave it out)");
          }
        });
  }

  /** What the flags come to; the seat of an invitation is taken here, and files are read. */
  final Options read(String defaultName) {
    checkFilled();
    Transport transport = new Transport(referee, authority, certificate, certificateKey, insecure);
    String chosen = name.orElse(defaultName);
    Level does = level.map(Level::of).orElse(seatKey.isPresent() ? Level.SIGNS : Level.CHECKS);
    Optional<SeatKey> signer = seatKey.map(SeatKey::load);
    Optional<NamedKey> pinned = key.map(NamedKey::parse);
    if (invitation.isPresent()) {
      Path file =
          tokenFile.orElseThrow(
              () ->
                  new UsageException(
                      "--invitation needs --token-file FILE: the seat's token is kept there"));
      new Invitation(transport, invitation.get(), file).take();
    }
    return new Options(
        transport, token(), chosen, does, signer, pinned, secretFile, stateFile, receipts);
  }

  private String token() {
    String where = tokenFile.map(file -> "the token file '" + file + "'").orElse("EUCHRE_TOKEN");
    String token =
        tokenFile
            .map(file -> PrivateFiles.read(file, "the token", PrivateFiles.LONGEST_LINE))
            .map(bytes -> new String(bytes, StandardCharsets.US_ASCII))
            .or(() -> Optional.ofNullable(System.getenv("EUCHRE_TOKEN")))
            .orElse("")
            .strip();
    if (!TOKEN.matcher(token).matches()) {
      throw new UsageException(
          where + " holds no token: give --token-file FILE with the token alone");
    }
    return token;
  }
}
