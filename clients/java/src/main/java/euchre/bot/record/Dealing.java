package euchre.bot.record;

import euchre.bot.Seat;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who is dealt which positions, who cuts, and who wins the dealer draw. */
final class Dealing {
  /** Where the upcard lies in the deal order. */
  static final long UPCARD_POSITION = 20;

  /** What a swap takes of the kitty. */
  static final List<Long> SWAP_POSITIONS = List.of(21L, 22L, 23L);

  private static final String SINGLE = "single";
  private static final String LOW_TO_HIGH = "A789TJQK";

  /** From the dealer's left: the cards of each seat in the first and the second time round. */
  private static final Map<String, int[][]> PACKETS =
      Map.of(
          "3-2", new int[][] {{3, 3, 3, 3}, {2, 2, 2, 2}},
          "2-3", new int[][] {{2, 2, 2, 2}, {3, 3, 3, 3}},
          "3-2-3-2", new int[][] {{3, 2, 3, 2}, {2, 3, 2, 3}},
          "2-3-2-3", new int[][] {{2, 3, 2, 3}, {3, 2, 3, 2}});

  private Dealing() {}

  /** Whether the pattern is one of the five. */
  static boolean isPattern(String packets) {
    return packets.equals(SINGLE) || PACKETS.containsKey(packets);
  }

  /** The five places in the deal order that are a seat's, rising. Rule: deal.packets. */
  static List<Long> positions(String packets, Seat dealer, Seat seat) {
    int turn = seat.further(-dealer.ordinal() - 1).ordinal();
    List<Long> held = new ArrayList<>();
    if (packets.equals(SINGLE)) {
      for (long place = turn; place < UPCARD_POSITION; place += Seat.COUNT) {
        held.add(place);
      }
      return held;
    }
    long place = 0;
    for (int[] round : PACKETS.get(packets)) {
      for (int place4 = 0; place4 < Seat.COUNT; place4++) {
        for (int card = 0; card < round[place4]; card++, place++) {
          if (place4 == turn) {
            held.add(place);
          }
        }
      }
    }
    return held;
  }

  /** Who cuts, where anybody does. */
  static Optional<Seat> cutter(String cut, Seat dealer) {
    return switch (cut) {
      case "dealers_right" -> Optional.of(dealer.further(3));
      case "dealers_left" -> Optional.of(dealer.further(1));
      default -> Optional.empty();
    };
  }

  /** Who deals first, by the cards turned from the top of the draw's deck. */
  static Seat drawnDealer(List<String> deck, String method, Seat start) {
    return switch (method) {
      case "black_jack" -> firstOf(deck, List.of("JC", "JS"), start);
      case "any_jack" -> firstOf(deck, List.of("JC", "JD", "JH", "JS"), start);
      case "draw_low" -> extreme(deck, start, 1);
      case "draw_high" -> extreme(deck, start, -1);
      default -> start;
    };
  }

  private static Seat firstOf(List<String> deck, List<String> stops, Seat start) {
    int place = 0;
    while (place < deck.size() && !stops.contains(deck.get(place))) {
      place++;
    }
    return start.further(place);
  }

  /** Lowest (sign 1) or highest (sign -1) card; tied seats turn one more each. */
  private static Seat extreme(List<String> deck, Seat start, int sign) {
    Iterator<Integer> ranks =
        deck.stream()
            .filter(card -> !card.equals("2S") && !card.equals("BB"))
            .map(card -> sign * LOW_TO_HIGH.indexOf(card.charAt(0)))
            .iterator();
    List<Seat> tied = new ArrayList<>();
    for (int step = 0; step < Seat.COUNT; step++) {
      tied.add(start.further(step));
    }
    while (tied.size() > 1) {
      int best = Integer.MAX_VALUE;
      List<Seat> leading = new ArrayList<>();
      for (Seat seat : tied) {
        if (!ranks.hasNext()) {
          return tied.get(0);
        }
        int rank = ranks.next();
        if (rank < best) {
          best = rank;
          leading.clear();
        }
        if (rank == best) {
          leading.add(seat);
        }
      }
      tied = leading;
    }
    return tied.get(0);
  }
}
