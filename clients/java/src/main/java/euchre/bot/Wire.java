package euchre.bot;

import com.google.protobuf.ByteString;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.seal.Opened;
import euchre.bot.seal.ReceiptItem;
import euchre.referee.v1.Play;
import euchre.referee.v1.Table;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The messages of the wire in our own words, and back. */
final class Wire {
  private Wire() {}

  static ByteString bytes(byte[] bytes) {
    return ByteString.copyFrom(bytes);
  }

  /** A seat of the wire, by its number there. */
  static Seat seat(int number) {
    int place = number - Table.Seat.SEAT_NORTH_VALUE;
    if (place < 0 || place >= Seat.COUNT) {
      throw new SealBrokenException("the referee named seat " + number + ", which is no seat");
    }
    return Seat.values()[place];
  }

  private static List<Seat> seats(List<Integer> numbers) {
    return numbers.stream().map(Wire::seat).toList();
  }

  static Play.Level level(Level level) {
    return switch (level) {
      case PLAYS -> Play.Level.LEVEL_PLAYS;
      case SEEDS -> Play.Level.LEVEL_SEEDS;
      case CHECKS -> Play.Level.LEVEL_CHECKS;
      case SIGNS -> Play.Level.LEVEL_SIGNS;
    };
  }

  static List<Opened> cards(Play.PrivateDeal dealt) {
    return dealt.getCardsList().stream()
        .map(
            card ->
                new Opened(
                    Integer.toUnsignedLong(card.getPosition()),
                    card.getCard(),
                    card.getSalt().toByteArray()))
        .toList();
  }

  static List<ReceiptItem> receiptItems(Play.Receipt receipt) {
    return receipt.getItemsList().stream()
        .map(
            item ->
                new ReceiptItem(
                    item.getMatch().toByteArray(),
                    Integer.toUnsignedLong(item.getDeal()),
                    item.getSeq(),
                    item.getHead().toByteArray()))
        .toList();
  }

  private static View.Sides sides(Table.Sides sides) {
    return new View.Sides(sides.getNs(), sides.getEw());
  }

  private static Optional<String> text(String text) {
    return Optional.of(text).filter(some -> !some.isEmpty());
  }

  /** A view of the wire in a bot's words. */
  static View view(Table.View view, String match, long limitMs, Optional<View.Refusal> refused) {
    Map<Seat, Integer> counts = new EnumMap<>(Seat.class);
    for (int place = 0; place < Math.min(Seat.COUNT, view.getCountsCount()); place++) {
      counts.put(Seat.values()[place], view.getCounts(place));
    }
    return new View(
        match,
        Integer.toUnsignedLong(view.getDeal()),
        view.getStateVersion(),
        limitMs,
        seat(view.getSeatValue()),
        view.getPhase(),
        seat(view.getDealerValue()),
        List.copyOf(view.getHandList()),
        counts,
        text(view.getUpcard()),
        text(view.getUpcardState()),
        view.hasTrump() ? Optional.of(view.getTrump()) : Optional.empty(),
        view.hasMaker() ? Optional.of(seat(view.getMakerValue())) : Optional.empty(),
        seats(view.getAloneValueList()),
        seats(view.getOutValueList()),
        view.hasLed() ? Optional.of(view.getLed()) : Optional.empty(),
        view.getTrickList().stream()
            .map(played -> new View.Played(seat(played.getSeatValue()), played.getCard()))
            .toList(),
        sides(view.getTricks()),
        sides(view.getScore()),
        view.hasTurn() ? Optional.of(seat(view.getTurnValue())) : Optional.empty(),
        List.copyOf(view.getLegalList()),
        refused);
  }
}
