package euchre.bot;

import com.google.rpc.Status;
import euchre.bot.record.ScriptedMatch;
import euchre.bot.seal.Hex;
import euchre.bot.seal.Opened;
import euchre.bot.seal.ReceiptItem;
import euchre.bot.seal.Seal;
import euchre.referee.v1.Events;
import euchre.referee.v1.Play;
import euchre.referee.v1.PlayServiceGrpc;
import euchre.referee.v1.Table;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * A small referee over gRPC that deals one honest deal to north and plays the other seats itself.
 * What it does in place of an honest answer is put in {@link #upsets}, one an input.
 */
final class FakeReferee extends PlayServiceGrpc.PlayServiceImplBase implements AutoCloseable {
  static final String TOKEN = "good";
  private static final Seat CLIENT = Seat.NORTH;

  final ScriptedMatch match = new ScriptedMatch(Seat.SOUTH);
  TestKey key = match.referee;
  final Queue<Upset> upsets = new ArrayDeque<>();
  final List<Play.SeatHello> hellos = new ArrayList<>();
  final List<Play.PlayInput> inputs = new ArrayList<>();

  private final Server server;
  private Play.Ask ask = Play.Ask.newBuilder().setWhat("commit").setDeal(1).build();
  private int told;
  private final List<Play.PlayInput> accepted = new ArrayList<>();

  /** What happens at an input. */
  enum Upset {
    NOTHING,
    /** The line is dropped before the input is taken. */
    DROPPED,
    /** The line is dropped, and who answers next shows another key. */
    OTHER_KEY,
    /** The line is dropped when the input is taken, and its answer is lost. */
    ANSWER_LOST,
    REFUSED,
    UNAVAILABLE,
    STALE,
    DRAINING,
    SUPERSEDED,
    NO_RECEIPT
  }

  FakeReferee() {
    match.open();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(this)
            .build();
    try {
      server.start();
    } catch (IOException err) {
      throw new UncheckedIOException(err);
    }
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  @Override
  public StreamObserver<Play.PlayRequest> play(StreamObserver<Play.PlayResponse> out) {
    return new StreamObserver<>() {
      @Override
      public void onNext(Play.PlayRequest request) {
        synchronized (FakeReferee.this) {
          if (request.hasHello()) {
            greet(request.getHello().getSeats(0), out);
          }
          request.getInputsList().forEach(input -> take(input, out));
        }
      }

      @Override
      public void onError(Throwable gone) {}

      @Override
      public void onCompleted() {
        out.onCompleted();
      }
    };
  }

  private void greet(Play.SeatHello hello, StreamObserver<Play.PlayResponse> out) {
    hellos.add(hello);
    if (!hello.getToken().equals(TOKEN)) {
      out.onError(io.grpc.Status.UNAUTHENTICATED.withDescription("no seat has it").asException());
      return;
    }
    Play.Welcome welcome =
        Play.Welcome.newBuilder()
            .setMatch(Hex.of(match.match))
            .setSeat(Table.Seat.SEAT_NORTH)
            .putAllRules(match.rules)
            .setRefereeKey(Wire.bytes(key.open()))
            .build();
    told = (int) hello.getResume();
    tell(out, List.of(Play.PlayItem.newBuilder().setWelcome(welcome).build()));
    tell(out, news());
  }

  private static void tell(StreamObserver<Play.PlayResponse> out, List<Play.PlayItem> items) {
    out.onNext(Play.PlayResponse.newBuilder().addAllItems(items).build());
  }

  private List<Play.PlayItem> news() {
    List<Play.PlayItem> items = new ArrayList<>();
    for (; told < match.lines().size(); told++) {
      ScriptedMatch.Line line = match.lines().get(told);
      Events.Event event =
          Events.Event.newBuilder()
              .setEvent(Wire.bytes(line.event()))
              .setSig(Wire.bytes(line.sig()))
              .setSeq(told)
              .build();
      items.add(Play.PlayItem.newBuilder().setEvent(event).build());
      if (line.kind().equals("deck_root")) {
        items.add(Play.PlayItem.newBuilder().setPrivateDeal(cards()).build());
      }
    }
    if (ask != null) {
      items.add(Play.PlayItem.newBuilder().setAsk(ask).build());
    }
    return items;
  }

  private Play.PrivateDeal cards() {
    List<Opened> cards = match.cards(CLIENT);
    Play.PrivateDeal.Builder dealt =
        Play.PrivateDeal.newBuilder()
            .setDeal(1)
            .setRoot(Wire.bytes(match.root()))
            .setSig(Wire.bytes(match.signCards(CLIENT, cards)));
    cards.forEach(
        card ->
            dealt.addCards(
                Events.OpenedCard.newBuilder()
                    .setPosition((int) card.position())
                    .setCard(card.card())
                    .setSalt(Wire.bytes(card.salt()))));
    return dealt.build();
  }

  private void take(Play.PlayInput input, StreamObserver<Play.PlayResponse> out) {
    inputs.add(input);
    Upset upset = upsets.isEmpty() ? Upset.NOTHING : upsets.remove();
    Play.PlayItem.Builder item = Play.PlayItem.newBuilder().setRequestId(input.getRequestId());
    switch (upset) {
      case DROPPED -> out.onError(io.grpc.Status.UNAVAILABLE.asException());
      case OTHER_KEY -> {
        key = new TestKey();
        out.onError(io.grpc.Status.UNAVAILABLE.asException());
      }
      case ANSWER_LOST -> {
        accept(input);
        out.onError(io.grpc.Status.UNAVAILABLE.asException());
      }
      case REFUSED -> {
        Table.Ruling refused = ruling(input).setReason("MUST_FOLLOW_SUIT").build();
        tell(out, List.of(item.setRuling(refused).build()));
        tell(out, news());
      }
      case UNAVAILABLE -> tell(out, List.of(item.setStatus(status(14)).build()));
      case STALE -> {
        tell(out, List.of(item.setStatus(status(10)).build()));
        tell(out, news());
      }
      case DRAINING -> {
        Play.Draining draining = Play.Draining.newBuilder().setRetryMs(10).build();
        tell(out, List.of(Play.PlayItem.newBuilder().setDraining(draining).build()));
        out.onCompleted();
      }
      case SUPERSEDED -> {
        Play.Superseded gone = Play.Superseded.getDefaultInstance();
        tell(out, List.of(Play.PlayItem.newBuilder().setSuperseded(gone).build()));
      }
      case NOTHING, NO_RECEIPT -> {
        long seq = accepted.contains(input) ? seqOf(input) : accept(input);
        List<Play.PlayItem> items = new ArrayList<>();
        items.add(item.setRuling(ruling(input).setAccepted(true)).build());
        if (upset == Upset.NOTHING) {
          items.add(receipt(seq));
        }
        items.addAll(news());
        tell(out, items);
      }
    }
  }

  private static Table.Ruling.Builder ruling(Play.PlayInput input) {
    return Table.Ruling.newBuilder().setRequestId(input.getRequestId());
  }

  private static Status status(int code) {
    return Status.newBuilder().setCode(code).setMessage("not now").build();
  }

  private Play.PlayItem receipt(long seq) {
    List<ReceiptItem> items = List.of(match.receipt(seq));
    Play.ReceiptItem item =
        Play.ReceiptItem.newBuilder()
            .setMatch(Wire.bytes(match.match))
            .setDeal(1)
            .setSeq(seq)
            .setHead(Wire.bytes(items.get(0).head()))
            .build();
    byte[] sig = match.referee.sign(Seal.receiptBytes(items));
    Play.Receipt receipt = Play.Receipt.newBuilder().addItems(item).setSig(Wire.bytes(sig)).build();
    return Play.PlayItem.newBuilder().setReceipt(receipt).build();
  }

  /** The event that an input became or answers. */
  private long seqOf(Play.PlayInput input) {
    return switch (input.getInputCase()) {
      case COMMIT -> 5;
      case REVEAL -> 6;
      default -> input.getAct().getSeq();
    };
  }

  private long accept(Play.PlayInput input) {
    accepted.add(input);
    switch (input.getInputCase()) {
      case COMMIT -> {
        match.commits(CLIENT, input.getCommit().getCommit().toByteArray());
        match.commitSet();
        ask = Play.Ask.newBuilder().setWhat("reveal").setDeal(1).build();
      }
      case REVEAL -> {
        match.reveals(CLIENT, input.getReveal().getSeed().toByteArray());
        match.turnUp();
        match.action(Seat.WEST, "pass");
        ask = Play.Ask.newBuilder().setWhat("act").setDeal(1).setView(view()).build();
      }
      default -> {
        match.action(CLIENT, input.getAct().getAction());
        match.close();
        ask = null;
      }
    }
    return seqOf(input);
  }

  private Table.View view() {
    return Table.View.newBuilder()
        .setSeat(Table.Seat.SEAT_NORTH)
        .setDealer(Table.Seat.SEAT_SOUTH)
        .setPhase("round_one")
        .setUpcard(match.opened(20).card())
        .addAllHand(match.cards(CLIENT).stream().map(Opened::card).toList())
        .addAllLegal(List.of("pass", "order"))
        .setStateVersion(match.lines().size() - 1)
        .build();
  }
}
