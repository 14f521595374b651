package euchre.bot.record;

import euchre.bot.Level;
import euchre.bot.Seat;
import euchre.bot.TestKey;
import euchre.bot.seal.Canonical;
import euchre.bot.seal.Hex;
import euchre.bot.seal.Opened;
import euchre.bot.seal.Pack;
import euchre.bot.seal.ReceiptItem;
import euchre.bot.seal.Seal;
import euchre.bot.seal.SealedDeck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A match of one deal as an honest referee records it; north's part is left to the client under
 * test. A test that wants a lie edits the fields of an event before it is hashed and signed.
 */
public final class ScriptedMatch {
  /** The one deal. */
  public static final long DEAL = 1;

  private static final Set<String> SIGNED =
      Set.of("match_open", "commit_set", "deck_root", "deal_close", "match_close");
  private static final List<String> PACK = Pack.of("E24").orElseThrow();

  public final byte[] match = filled(16, 7);
  public final TestKey referee = new TestKey();
  public final Map<String, String> rules =
      new TreeMap<>(
          Map.of("pack", "E24", "packets", "3-2", "cut", "none", "first_dealer", "agreed"));
  public final Seat dealer;
  public byte[] r0;

  private final Map<String, Consumer<Map<String, Object>>> lies = new HashMap<>();
  private final List<Line> lines = new ArrayList<>();
  private final byte[] r1;
  private final byte[] r2 = filled(32, 9);
  private final byte[][] seeds = new byte[Seat.COUNT][];
  private final byte[][] commits = new byte[Seat.COUNT][];
  private byte[] cset;
  private SealedDeck deck;
  private byte[] key;

  /** An event as it is told, and the head after it. */
  public record Line(String kind, byte[] event, byte[] sig, byte[] head) {}

  public ScriptedMatch(Seat dealer) {
    this.dealer = dealer;
    r1 = Seal.chainStep(match, 2, r2);
    r0 = Seal.chainStep(match, 1, r1);
    for (Seat seat : Seat.values()) {
      seeds[seat.ordinal()] = filled(Seal.HASH, 20 + seat.ordinal());
      commits[seat.ordinal()] = commitOf(seat);
    }
  }

  private byte[] commitOf(Seat seat) {
    return Seal.seatCommit(match, DEAL, seat.ordinal(), seeds[seat.ordinal()], null);
  }

  public static byte[] filled(int size, int value) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** Change the fields of the events of a kind before they are hashed. */
  public ScriptedMatch lie(String kind, Consumer<Map<String, Object>> change) {
    lies.put(kind, change);
    return this;
  }

  /** What the seat is told in Welcome, and says of itself. */
  public Claim claim(Seat seat) {
    return new Claim(match, seat, "bot", rules, referee.open(), Level.CHECKS, Optional.empty());
  }

  public List<Line> lines() {
    return lines;
  }

  public Line last() {
    return lines.get(lines.size() - 1);
  }

  /** Append an event. */
  public Line add(String kind, Map<String, Object> said) {
    Map<String, Object> fields = new TreeMap<>(said);
    byte[] before = lines.isEmpty() ? new byte[Seal.HASH] : last().head();
    fields.put("kind", kind);
    fields.put("seq", (long) lines.size());
    fields.put("prev", Hex.of(before));
    lies.getOrDefault(kind, honest -> {}).accept(fields);
    byte[] event = Canonical.dump(fields);
    byte[] head = Seal.eventHead(before, event);
    byte[] sig = SIGNED.contains(kind) ? referee.sign(Seal.refereeSignedBytes(head)) : new byte[0];
    lines.add(new Line(kind, event, sig, head));
    return last();
  }

  /** match_open and deal_open. */
  public void open() {
    List<Object> seats = new ArrayList<>();
    for (int seat = 0; seat < Seat.COUNT; seat++) {
      seats.add(Map.of("name", "bot", "level", "checks", "seed_by", "seat"));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("match", Hex.of(match));
    fields.put("protocol", Seal.PROTOCOL);
    fields.put("rules", rules);
    fields.put("rule_set", Hex.of(Seal.taggedHash("rule-set", Canonical.dump(rules))));
    fields.put("pack", "E24");
    fields.put("seats", seats);
    fields.put("referee_key", referee.text("referee"));
    fields.put("chain", 2L);
    fields.put("policy", Map.of("rated", true));
    fields.put("r0", Hex.of(r0));
    add("match_open", fields);
    add("deal_open", Map.of("deal", DEAL, "dealer", dealer.word()));
  }

  /** Let another seat commit to something else. */
  public void otherCommit(Seat seat, byte[] commit) {
    commits[seat.ordinal()] = commit;
  }

  /** The commitments of the others, then the client's. */
  public void commits(Seat client, byte[] commit) {
    for (Seat seat : Seat.values()) {
      if (seat != client) {
        commit(seat, commits[seat.ordinal()]);
      }
    }
    commits[client.ordinal()] = commit;
    commit(client, commit);
  }

  private void commit(Seat seat, byte[] commit) {
    add("seat_commit", Map.of("deal", DEAL, "seat", seat.word(), "commit", Hex.of(commit)));
  }

  public void commitSet() {
    List<byte[]> all = List.of(commits);
    cset = Seal.commitSet(match, DEAL, "E24", r1, all);
    add(
        "commit_set",
        Map.of("deal", DEAL, "r_commit", Hex.of(r1), "commits", hex(all), "cset", Hex.of(cset)));
  }

  /** reveal_set and deck_root, under the client's seed. */
  public void reveals(Seat client, byte[] seed) {
    seeds[client.ordinal()] = seed;
    List<byte[]> all = List.of(seeds);
    deck = SealedDeck.derive(match, DEAL, PACK, r2, cset, all, null);
    key = Seal.deckKey(cset, r2, all, null);
    add("reveal_set", Map.of("deal", DEAL, "seeds", hex(all), "sigs", List.of("", "", "", "")));
    add("deck_root", Map.of("deal", DEAL, "leaves", hex(deck.leaves()), "root", Hex.of(root())));
  }

  private static List<Object> hex(List<byte[]> bytes) {
    return List.copyOf(bytes.stream().map(Hex::of).toList());
  }

  public byte[] root() {
    return Seal.treeHead(deck.leaves());
  }

  /** The card at a position, with the salt that opens it. */
  public Opened opened(long position) {
    return new Opened(
        position, deck.cards().get((int) position), Seal.leafSalt(key, (int) position));
  }

  /** The five cards of a seat. */
  public List<Opened> cards(Seat seat) {
    return Dealing.positions("3-2", dealer, seat).stream().map(this::opened).toList();
  }

  /** The referee's signature of cards. */
  public byte[] signCards(Seat seat, List<Opened> cards) {
    return referee.sign(Seal.privateDealBytes(match, DEAL, seat.ordinal(), root(), cards));
  }

  public void turnUp() {
    Opened card = opened(Dealing.UPCARD_POSITION);
    add(
        "turn_up",
        Map.of(
            "deal", DEAL,
            "position", card.position(),
            "card", card.card(),
            "salt", Hex.of(card.salt())));
  }

  public Line action(Seat seat, String action) {
    return add("action", Map.of("deal", DEAL, "seat", seat.word(), "action", action));
  }

  public Line hiddenAction(Seat seat, String word, byte[] commit) {
    return add(
        "action",
        Map.of("deal", DEAL, "seat", seat.word(), "action", word, "commit", Hex.of(commit)));
  }

  /** deal_close and match_close; {@code openings} of what was hidden. */
  public void close(Object... openings) {
    Map<String, Object> none = Map.of("ns", 0L, "ew", 0L);
    add(
        "deal_close",
        Map.of(
            "deal",
            DEAL,
            "outcome",
            "thrown_in",
            "r",
            Hex.of(r2),
            "deck",
            String.join(" ", deck.cards()),
            "openings",
            List.of(openings),
            "score",
            none));
    add("match_close", Map.of("outcome", "finished", "score", none, "deals", 1L));
  }

  /** A receipt for an event. */
  public ReceiptItem receipt(long seq) {
    return new ReceiptItem(match, DEAL, seq, lines.get((int) seq).head());
  }
}
