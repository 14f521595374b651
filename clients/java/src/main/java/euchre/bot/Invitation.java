package euchre.bot;

import euchre.bot.errors.RefereeLostException;
import euchre.bot.errors.UsageException;
import euchre.bot.files.PrivateFiles;
import euchre.bot.seal.Hex;
import euchre.referee.v1.Lobby;
import euchre.referee.v1.LobbyServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A seat taken with an invitation code: the token is kept in a file, and the bot plays with it.
 *
 * <p>The request is kept beside the token file until the token is there: whoever is stopped between
 * the two gets the same token when the same command is started again.
 */
final class Invitation {
  private static final int REQUEST_ID_BYTES = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration TOTAL = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Set<Status.Code> OURS =
      Set.of(Status.Code.INVALID_ARGUMENT, Status.Code.NOT_FOUND, Status.Code.FAILED_PRECONDITION);

  private final Transport transport;
  private final String code;
  private final Path tokenFile;
  private final Path requestFile;

  Invitation(Transport transport, String code, Path tokenFile) {
    this.transport = transport;
    this.code = code;
    this.tokenFile = tokenFile;
    this.requestFile = beside(".request");
  }

  private Path beside(String ending) {
    return tokenFile.resolveSibling(tokenFile.getFileName() + ending);
  }

  /** Take the seat, unless the token file holds its token already. */
  void take() {
    if (Files.exists(tokenFile)) {
      return;
    }
    byte[] requestId = requestId();
    ManagedChannel channel = transport.connect();
    try {
      Path part = beside(".part");
      PrivateFiles.write(part, token(channel, requestId));
      Files.move(part, tokenFile, StandardCopyOption.ATOMIC_MOVE);
      Files.deleteIfExists(requestFile);
    } catch (IOException err) {
      throw new UsageException("cannot write '" + tokenFile + "': " + PrivateFiles.why(err), err);
    } finally {
      channel.shutdownNow();
    }
  }

  /** The request's id, drawn the first time. */
  private byte[] requestId() {
    if (!Files.exists(requestFile)) {
      byte[] drawn = new byte[REQUEST_ID_BYTES];
      new SecureRandom().nextBytes(drawn);
      PrivateFiles.write(requestFile, Hex.of(drawn));
    }
    byte[] text = PrivateFiles.read(requestFile, "the request", PrivateFiles.LONGEST_LINE);
    return Hex.parse(new String(text, StandardCharsets.US_ASCII).strip())
        .filter(id -> id.length == REQUEST_ID_BYTES)
        .orElseThrow(
            () ->
                new UsageException(
                    "'" + requestFile + "' is no request of ours: remove it, and try again"));
  }

  /** The seat's token; a lost answer is asked for again. */
  private String token(ManagedChannel channel, byte[] requestId) throws IOException {
    Lobby.JoinMatchRequest request =
        Lobby.JoinMatchRequest.newBuilder()
            .setCode(code)
            .setRequestId(Wire.bytes(requestId))
            .build();
    long end = System.nanoTime() + TOTAL.toNanos();
    Long told = null;
    while (true) {
      try {
        return LobbyServiceGrpc.newBlockingStub(channel)
            .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
            .joinMatch(request)
            .getToken();
      } catch (StatusRuntimeException err) {
        Status status = err.getStatus();
        if (OURS.contains(status.getCode())) {
          Files.deleteIfExists(requestFile);
          throw new UsageException("the invitation gives no seat: " + status.getDescription(), err);
        }
        String fault = status.getCode() + ": " + status.getDescription();
        long now = System.nanoTime();
        if (status.getCode() != Status.Code.UNAVAILABLE || now - end > 0) {
          throw new RefereeLostException(fault, err);
        }
        if (told == null || now - told >= Backoff.TOLD_EVERY.toNanos()) {
          Duration left = Duration.ofNanos(end - now);
          Bot.say(Backoff.noWord(transport.referee(), fault, left, told != null));
          told = now;
        }
        Pause.of(PAUSE);
      }
    }
  }
}
