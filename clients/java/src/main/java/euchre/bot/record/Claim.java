package euchre.bot.record;

import euchre.bot.Level;
import euchre.bot.Seat;
import euchre.bot.files.SeatKey;
import java.util.Map;
import java.util.Optional;

/** What the seat was told in Welcome, and what it said of itself. */
public record Claim(
    byte[] match,
    Seat seat,
    String name,
    Map<String, String> rules,
    byte[] refereeKey,
    Level level,
    Optional<SeatKey> key) {}
