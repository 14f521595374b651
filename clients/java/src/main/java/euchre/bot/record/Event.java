package euchre.bot.record;

/** A public event that has its place in the chain; {@code head} is the chain's after it. */
public record Event(long seq, String kind, Fields fields, byte[] head) {}
