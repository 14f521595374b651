package euchre.bot;

import euchre.referee.v1.Play;
import euchre.referee.v1.PlayServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * An open {@code Play} stream: requests out, responses in, one at a time. Closing it ends it.
 *
 * <p>The next response is asked for when one is taken, so a bot that thinks holds back its referee
 * and not its own memory.
 */
final class PlayStream implements AutoCloseable {
  private final ManagedChannel channel;
  private final BlockingQueue<Arrival> inbox = new LinkedBlockingQueue<>();
  private ClientCallStreamObserver<Play.PlayRequest> outbox;

  /** A response, or the status that the stream ended with. */
  private record Arrival(Play.PlayResponse response, Status end) {}

  PlayStream(Transport transport) {
    channel = transport.connect();
    PlayServiceGrpc.newStub(channel).play(new Inbox());
  }

  /** Send a request; it leaves at once. */
  void send(Play.PlayRequest request) {
    try {
      outbox.onNext(request);
    } catch (IllegalStateException err) {
      // The stream has ended: next() says how.
    }
  }

  /** The next response; how the stream ended is a StatusRuntimeException. */
  Play.PlayResponse next() throws InterruptedException {
    Arrival arrival = inbox.take();
    if (arrival.response() == null) {
      inbox.add(arrival);
      throw new StatusRuntimeException(arrival.end());
    }
    outbox.request(1);
    return arrival.response();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private final class Inbox implements ClientResponseObserver<Play.PlayRequest, Play.PlayResponse> {
    @Override
    public void beforeStart(ClientCallStreamObserver<Play.PlayRequest> stream) {
      outbox = stream;
      stream.disableAutoRequestWithInitial(1);
    }

    @Override
    public void onNext(Play.PlayResponse response) {
      inbox.add(new Arrival(response, null));
    }

    @Override
    public void onError(Throwable err) {
      inbox.add(new Arrival(null, Status.fromThrowable(err)));
    }

    @Override
    public void onCompleted() {
      inbox.add(new Arrival(null, Status.OK));
    }
  }
}
