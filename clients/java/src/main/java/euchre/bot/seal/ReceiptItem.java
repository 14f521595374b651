package euchre.bot.seal;

/** One thing that the referee has accepted: the event it stands in, and the head there. */
public record ReceiptItem(byte[] match, long deal, long seq, byte[] head) {}
