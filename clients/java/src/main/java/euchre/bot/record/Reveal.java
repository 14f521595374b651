package euchre.bot.record;

import java.util.Optional;

/** What the seat opens once the commit set has passed its checks. */
public record Reveal(byte[] seed, Optional<Integer> cut, byte[] cset, byte[] head, byte[] sig) {}
