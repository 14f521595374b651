package euchre.bot.record;

import euchre.bot.Level;
import euchre.bot.Seat;
import euchre.bot.seal.Canonical;
import euchre.bot.seal.Pack;
import euchre.bot.seal.Seal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The reading of match_open, against what the seat was told and what it said of itself. */
final class Opening {
  private static final int MATCH_BYTES = 16;

  private Opening() {}

  /** What match_open fixes, once it is what it should be. */
  static Terms read(Fields fields, Claim claim, byte[] chainKey) {
    Map<String, String> rules = fields.child("rules").texts();
    String packets = rules.getOrDefault("packets", "");
    String packName = fields.text("pack");
    Optional<List<String>> pack = Pack.of(packName);
    byte[] ruleSet = Seal.taggedHash("rule-set", Canonical.dump(rules));
    insist(
        fields,
        Arrays.equals(fields.octets("match", MATCH_BYTES), claim.match()),
        "match is not the one we joined");
    insist(
        fields, fields.text("protocol").equals(Seal.PROTOCOL), "protocol is not " + Seal.PROTOCOL);
    insist(
        fields,
        Arrays.equals(chainKey, claim.refereeKey()),
        "referee_key is not the one we were told");
    insist(fields, rules.equals(claim.rules()), "rules are not those we were told");
    insist(
        fields,
        Arrays.equals(fields.octets("rule_set", Seal.HASH), ruleSet),
        "rule_set is not the hash of the rules");
    insist(fields, packName.equals(rules.get("pack")), "pack is not that of the rules");
    insist(fields, pack.isPresent(), "pack is not one we know");
    insist(fields, Dealing.isPattern(packets), "packets are not a pattern we know");
    List<Fields> entries = fields.children("seats");
    insist(fields, entries.size() == Seat.COUNT, "seats are not four");
    checkOurs(entries.get(claim.seat().ordinal()), claim);
    return new Terms(
        claim.match(),
        claim.seat(),
        packName,
        pack.orElseThrow(),
        packets,
        rules.getOrDefault("cut", "none"),
        rules.getOrDefault("first_dealer", "agreed"),
        fields.number("chain"),
        fields.child("policy").truth("rated"),
        declined(entries),
        keys(entries));
  }

  private static void insist(Fields fields, boolean holds, String fault) {
    if (!holds) {
      throw fields.fault(fault);
    }
  }

  /** Our own entry: who we are, what we do for the seal, and whose our seeds are. */
  private static void checkOurs(Fields entry, Claim claim) {
    List<String> said = List.of(entry.text("name"), entry.text("level"), entry.text("seed_by"));
    String seedBy = claim.level() == Level.PLAYS ? "host" : "seat";
    insist(
        entry,
        said.equals(List.of(claim.name(), claim.level().word(), seedBy)),
        "our seat is not entered as we said: " + said);
    byte[] entered = keyOf(entry).orElse(new byte[0]);
    byte[] ours = claim.key().map(key -> key.open()).orElse(new byte[0]);
    insist(entry, Arrays.equals(entered, ours), "our key is not the one we gave");
  }

  private static Set<Seat> declined(List<Fields> entries) {
    Set<Seat> declined = EnumSet.noneOf(Seat.class);
    for (Seat seat : Seat.values()) {
      if (entries.get(seat.ordinal()).text("level").equals(Level.PLAYS.word())) {
        declined.add(seat);
      }
    }
    return declined;
  }

  private static List<Optional<byte[]>> keys(List<Fields> entries) {
    List<Optional<byte[]>> keys = new ArrayList<>();
    entries.forEach(entry -> keys.add(keyOf(entry)));
    return keys;
  }

  /** The key of a seat that signs, and of no other. */
  private static Optional<byte[]> keyOf(Fields entry) {
    boolean signs = entry.text("level").equals(Level.SIGNS.word());
    insist(entry, entry.has("key") == signs, "a key goes with the level signs, and only with it");
    return signs
        ? Optional.of(EventChain.keyOf(entry, "key", "the seat's key is not a sound one"))
        : Optional.empty();
  }
}
