package euchre.bot.seal;

/** A card with the salt that opens its leaf. */
public record Opened(long position, String card, byte[] salt) {}
