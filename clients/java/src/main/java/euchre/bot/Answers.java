package euchre.bot;

import com.google.protobuf.ByteString;
import com.google.rpc.Status;
import euchre.bot.errors.BotFailedException;
import euchre.bot.errors.RefereeLostException;
import euchre.bot.record.Reveal;
import euchre.bot.record.Witness;
import euchre.bot.seal.Seal;
import euchre.referee.v1.Play;
import euchre.referee.v1.Table;
import io.grpc.Status.Code;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the referee asks of the seat, and what we have answered. An answer whose fate is unknown is
 * sent again under the same request id.
 */
final class Answers {
  private static final int REQUEST_ID_BYTES = 16;
  private static final Set<String> HIDDEN_MOVES = Set.of("discard", "give", "swap");
  private static final Set<Code> SEND_AGAIN = Set.of(Code.UNAVAILABLE, Code.RESOURCE_EXHAUSTED);

  private final Choose choose;
  private final Witness witness;
  private final Play.Welcome welcome;
  private final Consumer<String> say;
  private final SecureRandom chance;
  private Play.PlayInput pending;
  private long pendingDeal;
  private Play.Ask unanswered;
  private Optional<View.Refusal> refused = Optional.empty();

  Answers(
      Choose choose,
      Witness witness,
      Play.Welcome welcome,
      Consumer<String> say,
      SecureRandom chance) {
    this.choose = choose;
    this.witness = witness;
    this.welcome = welcome;
    this.say = say;
    this.chance = chance;
  }

  /** An action stands: what was asked before it is settled. */
  void acted() {
    unanswered = null;
    refused = Optional.empty();
  }

  /** Send what has no answer yet on a new stream. */
  void sendAgain(PlayStream stream) {
    if (pending != null) {
      send(stream);
    }
  }

  private void send(PlayStream stream) {
    stream.send(Play.PlayRequest.newBuilder().addInputs(pending).build());
  }

  /** The seat is to do something. */
  void asked(Play.Ask ask, PlayStream stream) {
    if (pending != null && isAnswered(ask)) {
      unanswered = ask; // sent already; its ruling is on the way
    } else {
      answer(ask, stream);
    }
  }

  private boolean isAnswered(Play.Ask ask) {
    return switch (ask.getWhat()) {
      case "act" -> pending.hasAct() && pending.getAct().getSeq() == seqOf(ask);
      case "commit" -> pending.hasCommit() && pending.getCommit().getDeal() == ask.getDeal();
      default -> pending.hasReveal() && pending.getReveal().getDeal() == ask.getDeal();
    };
  }

  private static long seqOf(Play.Ask ask) {
    return ask.getView().getStateVersion() + 1;
  }

  private void answer(Play.Ask ask, PlayStream stream) {
    unanswered = null;
    long deal = Integer.toUnsignedLong(ask.getDeal());
    Play.PlayInput.Builder said =
        Play.PlayInput.newBuilder()
            .setMatch(welcome.getMatch())
            .setSeatValue(welcome.getSeatValue())
            .setRequestId(drawn(REQUEST_ID_BYTES));
    switch (ask.getWhat()) {
      case "commit" ->
          said.setCommit(
              Play.Commit.newBuilder()
                  .setDeal(ask.getDeal())
                  .setCommit(Wire.bytes(witness.commit(deal, ask.getCutter()))));
      case "reveal" -> said.setReveal(reveal(ask, witness.reveal(deal)));
      case "act" -> said.setAct(decide(ask, deal));
      default ->
          throw new RefereeLostException(
              "the referee asks for '" + ask.getWhat() + "': update this client");
    }
    pending = said.build();
    pendingDeal = deal;
    send(stream);
  }

  private ByteString drawn(int size) {
    byte[] bytes = new byte[size];
    chance.nextBytes(bytes);
    return Wire.bytes(bytes);
  }

  private static Play.Reveal reveal(Play.Ask ask, Reveal shown) {
    Play.Reveal.Builder reveal =
        Play.Reveal.newBuilder()
            .setDeal(ask.getDeal())
            .setSeed(Wire.bytes(shown.seed()))
            .setCset(Wire.bytes(shown.cset()))
            .setHead(Wire.bytes(shown.head()))
            .setSig(Wire.bytes(shown.sig()));
    shown.cut().ifPresent(reveal::setCut);
    return reveal.build();
  }

  private Play.Act decide(Play.Ask ask, long deal) {
    long seq = seqOf(ask);
    witness.checkAsk(deal, seq, ask.getView().getHandList());
    View view = Wire.view(ask.getView(), welcome.getMatch(), ask.getLimitMs(), refused);
    List<String> legal = view.legal();
    String action = chosen(view, legal);
    String[] words = action.split(" ");
    boolean hides = HIDDEN_MOVES.contains(words[0]) && legal.contains(action);
    ByteString blind = hides ? drawn(Seal.HASH * (words.length - 1)) : ByteString.EMPTY;
    return Play.Act.newBuilder()
        .setSeq(seq)
        .setAction(action)
        .setBlind(blind)
        .setSeatSig(Wire.bytes(witness.move(deal, seq, action, blind.toByteArray())))
        .build();
  }

  /** The bot's word; where its function throws, the match ends, and we say where it did. */
  private String chosen(View view, List<String> legal) {
    try {
      return Objects.requireNonNull(choose.choose(view, legal), "it answered null");
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError err) {
      String where =
          Arrays.stream(err.getStackTrace())
              .filter(frame -> !frame.getClassName().matches("(java|javax|jdk|sun)\\..*"))
              .findFirst()
              .map(frame -> " at " + frame)
              .orElse("");
      throw new BotFailedException(
          "the bot failed: %s: %s%s"
                  .formatted(err.getClass().getSimpleName(), oneLine(err.getMessage()), where)
              + " (the seat stays ours: mend it, and start again with the same files to go on)",
          err);
    }
  }

  private static String oneLine(String message) {
    return message == null ? "it says no more" : message.strip().replaceAll("\\s+", " ");
  }

  /** The referee's word on what we sent. */
  void ruled(Table.Ruling ruling, PlayStream stream) {
    if (pending == null || !pending.getRequestId().equals(ruling.getRequestId())) {
      return;
    }
    Play.PlayInput said = pending;
    pending = null;
    if (ruling.getAccepted()) {
      acted();
      switch (said.getInputCase()) {
        case ACT -> witness.moveAccepted(pendingDeal, said.getAct().getSeq());
        case REVEAL -> witness.revealAccepted(pendingDeal);
        default -> witness.commitAccepted(pendingDeal);
      }
      return;
    }
    String action = said.getAct().getAction();
    say.accept("refused '%s': %s: %s".formatted(action, ruling.getReason(), ruling.getText()));
    refused = Optional.of(new View.Refusal(action, ruling.getReason(), ruling.getText()));
    answerAgain(stream);
  }

  private void answerAgain(PlayStream stream) {
    if (unanswered != null) {
      answer(unanswered, stream);
    }
  }

  /** A misuse of the protocol, or something that the referee could not take just then. */
  void misused(ByteString requestId, Status status, PlayStream stream, Backoff backoff) {
    Code code = io.grpc.Status.fromCodeValue(status.getCode()).getCode();
    if (pending == null || !pending.getRequestId().equals(requestId)) {
      say.accept(words(status));
    } else if (SEND_AGAIN.contains(code)) {
      backoff.pause(words(status));
      send(stream);
    } else {
      if (code != Code.ABORTED) {
        say.accept(words(status));
      }
      pending = null;
      answerAgain(stream);
    }
  }

  static String words(Status status) {
    Code code = io.grpc.Status.fromCodeValue(status.getCode()).getCode();
    return "the referee says " + code + ": " + status.getMessage();
  }
}
