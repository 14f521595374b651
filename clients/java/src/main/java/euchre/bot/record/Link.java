package euchre.bot.record;

/** A value of the referee's hash chain that is already public, and its index. */
record Link(long index, byte[] value) {}
