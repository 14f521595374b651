package euchre.bot.record;

import euchre.bot.Seat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What match_open fixes for every deal; {@code keys} has one entry a seat. */
record Terms(
    byte[] match,
    Seat seat,
    String packName,
    List<String> pack,
    String packets,
    String cut,
    String firstDealer,
    long chain,
    boolean rated,
    Set<Seat> declined,
    List<Optional<byte[]>> keys) {}
