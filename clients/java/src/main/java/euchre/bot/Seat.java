package euchre.bot;

import java.util.Optional;

/** A place at the table, in the order that play goes. North and south are partners. */
public enum Seat {
  NORTH,
  EAST,
  SOUTH,
  WEST;

  /** How many seats there are. */
  public static final int COUNT = 4;

  /** The seat as the referee writes it. */
  public String word() {
    return switch (this) {
      case NORTH -> "north";
      case EAST -> "east";
      case SOUTH -> "south";
      case WEST -> "west";
    };
  }

  /** The seat of a word, if it is one. */
  public static Optional<Seat> of(String word) {
    for (Seat seat : values()) {
      if (seat.word().equals(word)) {
        return Optional.of(seat);
      }
    }
    return Optional.empty();
  }

  /** The seat so many places further on, clockwise. */
  public Seat further(int places) {
    return values()[Math.floorMod(ordinal() + places, COUNT)];
  }

  /** Who plays with this seat. */
  public Seat partner() {
    return further(2);
  }
}
