package euchre.bot;

import euchre.bot.errors.RefereeLostException;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.errors.SeatTakenException;
import euchre.bot.errors.UsageException;
import euchre.bot.files.ReceiptFile;
import euchre.bot.files.SecretFile;
import euchre.bot.files.StateFile;
import euchre.bot.record.Claim;
import euchre.bot.record.Event;
import euchre.bot.record.Receipts;
import euchre.bot.record.Witness;
import euchre.bot.seal.Ed25519;
import euchre.bot.seal.Hex;
import euchre.bot.seal.NamedKey;
import euchre.referee.v1.Events;
import euchre.referee.v1.Play;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The seat loop: say Hello, follow the match, answer what is asked, come back when cut off. */
final class SeatLoop implements AutoCloseable {
  private static final int PROTOCOL_VERSION = 1;
  private static final int MATCH_BYTES = 16;
  private static final Map<Status.Code, String> HOPELESS =
      Map.of(
          Status.Code.UNAUTHENTICATED, "the referee does not know this token: ask for a new one",
          Status.Code.PERMISSION_DENIED, "this token is for another seat",
          Status.Code.FAILED_PRECONDITION, "the referee does not accept our Hello",
          Status.Code.INVALID_ARGUMENT, "the referee does not understand our Hello",
          Status.Code.UNIMPLEMENTED, "there is no Euchre referee at this address");

  private final Choose choose;
  private final Options options;
  private final Consumer<String> say;
  private final SecureRandom chance;
  private final Backoff backoff;
  private Play.Welcome welcome;
  private Witness witness;
  private Answers answers;
  private Optional<Result.Score> last = Optional.empty();
  private Result result;

  SeatLoop(
      Choose choose,
      Options options,
      Consumer<String> say,
      SecureRandom chance,
      Backoff.Pace pace) {
    this.choose = choose;
    this.options = options;
    this.say = say;
    this.chance = chance;
    this.backoff = new Backoff(options.transport().referee(), pace, say);
    // What is named and does not do is said before the match.
    options.secretFile().ifPresent(file -> SecretFile.load(file, chance));
    options.stateFile().ifPresent(StateFile::check);
  }

  @Override
  public void close() {
    if (witness != null) {
      witness.close();
    }
  }

  /** Follow the match over reconnects until it is closed. */
  Result play() {
    while (true) {
      String fault;
      try (PlayStream stream = new PlayStream(options.transport())) {
        follow(stream);
        return result;
      } catch (StatusRuntimeException err) {
        fault = fault(err.getStatus());
      } catch (InterruptedException err) {
        throw Pause.interrupted(err);
      }
      backoff.pause(fault);
    }
  }

  /** Why the stream broke; where trying again is hopeless, this ends the bot. */
  private static String fault(Status status) {
    String details = status.getDescription() == null ? "no details" : status.getDescription();
    if (status.isOk()) {
      return "the referee ended the stream";
    }
    String hopeless = HOPELESS.get(status.getCode());
    if (hopeless == null) {
      return status.getCode() + ": " + details;
    }
    String message = hopeless + " (" + details + ")";
    throw status.getCode() == Status.Code.UNAUTHENTICATED
        ? new UsageException(message)
        : new RefereeLostException(message);
  }

  private void follow(PlayStream stream) throws InterruptedException {
    stream.send(Play.PlayRequest.newBuilder().setHello(hello()).build());
    while (result == null) {
      Play.PlayResponse response = stream.next();
      for (Play.PlayItem item : response.getItemsList()) {
        take(item, stream);
      }
      if (witness != null) {
        witness.endOfMessage();
      }
    }
  }

  private Play.Hello hello() {
    Play.SeatHello.Builder seat =
        Play.SeatHello.newBuilder()
            .setToken(options.token())
            .setName(options.name())
            .setLevel(Wire.level(options.level()))
            .setOwnSeeds(options.level() != Level.PLAYS)
            .setResume(witness == null ? 0 : witness.nextSeq());
    options.seatKey().ifPresent(key -> seat.setKey(Wire.bytes(key.open())));
    return Play.Hello.newBuilder().setProtocol(PROTOCOL_VERSION).addSeats(seat).build();
  }

  private void take(Play.PlayItem item, PlayStream stream) {
    switch (item.getItemCase()) {
      case WELCOME -> greet(item.getWelcome(), stream);
      case DRAINING -> backoff.retryAfter(item.getDraining().getRetryMs());
      case SUPERSEDED ->
          throw new SeatTakenException("another process has taken this seat with the same token");
      case FAULT -> {
        Play.FaultNotice fault = item.getFault();
        say.accept(Wire.seat(fault.getSeatValue()).word() + " is at fault: " + fault.getWhy());
      }
      case STATUS -> takeStatus(item, stream);
      case EVENT, PRIVATE_DEAL, ASK, RULING, RECEIPT -> {
        if (witness == null) {
          throw new RefereeLostException(
              "the referee sent " + item.getItemCase() + " before Welcome");
        }
        takePlay(item, stream);
      }
      case ITEM_NOT_SET -> {} // a kind from after this client was written
    }
  }

  private void takePlay(Play.PlayItem item, PlayStream stream) {
    switch (item.getItemCase()) {
      case EVENT -> takeEvent(item.getEvent());
      case PRIVATE_DEAL -> {
        Play.PrivateDeal dealt = item.getPrivateDeal();
        witness.privateDeal(
            Integer.toUnsignedLong(dealt.getDeal()),
            dealt.getRoot().toByteArray(),
            Wire.cards(dealt),
            dealt.getSig().toByteArray());
      }
      case ASK -> answers.asked(item.getAsk(), stream);
      case RULING -> answers.ruled(item.getRuling(), stream);
      default ->
          witness.receipt(
              Wire.receiptItems(item.getReceipt()), item.getReceipt().getSig().toByteArray());
    }
  }

  private void takeStatus(Play.PlayItem item, PlayStream stream) {
    if (answers == null) {
      say.accept(Answers.words(item.getStatus()));
    } else {
      answers.misused(item.getRequestId(), item.getStatus(), stream, backoff);
    }
  }

  private void greet(Play.Welcome now, PlayStream stream) {
    backoff.arrived(); // it is there, though nothing may happen for a while
    checkKey(now.getRefereeKey().toByteArray());
    if (welcome == null) {
      sitDown(now);
    } else if (!now.getMatch().equals(welcome.getMatch())
        || now.getSeatValue() != welcome.getSeatValue()) {
      throw new RefereeLostException("the referee now has this token for another match");
    } else if (!now.getRefereeKey().equals(welcome.getRefereeKey())) {
      throw new SealBrokenException("the referee now shows another key than when we sat down");
    }
    answers.sendAgain(stream);
  }

  private void sitDown(Play.Welcome now) {
    Seat seat = Wire.seat(now.getSeatValue());
    Claim claim =
        new Claim(
            matchId(now.getMatch()),
            seat,
            options.name(),
            Map.copyOf(now.getRulesMap()),
            now.getRefereeKey().toByteArray(),
            options.level(),
            options.seatKey());
    Options.SeatFiles files = options.files(now.getMatch(), seat);
    byte[] secret = SecretFile.load(files.secret(), chance);
    Receipts receipts =
        new Receipts(claim.match(), claim.refereeKey(), new ReceiptFile(files.receipts()));
    StateFile state = new StateFile(files.state(), seat);
    witness = new Witness(claim, secret, state, receipts, chance);
    answers = new Answers(choose, witness, now, say, chance);
    welcome = now;
    say.accept("seated " + seat.word() + " in match " + now.getMatch());
  }

  private static byte[] matchId(String text) {
    return Hex.parse(text)
        .filter(match -> match.length == MATCH_BYTES)
        .orElseThrow(
            () ->
                new RefereeLostException(
                    "the referee named a match '" + text + "', which is no match id"));
  }

  private void checkKey(byte[] key) {
    if (!Ed25519.usable(key)) {
      throw new UsageException("the referee shows no sound Ed25519 key: do not play there");
    }
    options
        .pinned()
        .filter(pinned -> !Arrays.equals(pinned.key(), key))
        .ifPresent(
            pinned -> {
              String shown = new NamedKey(pinned.name(), key).text();
              throw new UsageException(
                  "the referee's key is not the pinned one but '" + shown + "'");
            });
  }

  private void takeEvent(Events.Event event) {
    Event taken = witness.take(event.getEvent().toByteArray(), event.getSig().toByteArray());
    backoff.arrived();
    if (taken.kind().equals("match_open") && options.pinned().isEmpty()) {
      String line = taken.fields().text("referee_key");
      say.accept("warning: the referee's key is not pinned; to pin it: --key " + line);
    }
    witness
        .twin(taken)
        .ifPresent(
            twin ->
                say.accept(
                    "warning: "
                        + twin.word()
                        + " plays with our secret: two equal seeds count for one"
                        + " (give each seat its own --secret-file)"));
    if (taken.kind().equals("action")) {
      answers.acted();
    }
    if (taken.kind().equals("deal_close") && !taken.fields().text("outcome").equals("draw")) {
      last = Optional.of(Result.Score.of(taken.fields()));
    }
    if (taken.kind().equals("match_close")) {
      boolean games = welcome.getRulesOrDefault("deals", "none").equals("none");
      result = Result.of(welcome.getMatch(), taken.fields(), games, last);
    }
  }
}
