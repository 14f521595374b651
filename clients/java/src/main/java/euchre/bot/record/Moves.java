package euchre.bot.record;

import euchre.bot.Seat;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.seal.Ed25519;
import euchre.bot.seal.Hex;
import euchre.bot.seal.Seal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The moves of one deal: what was hidden, what we sent, and who has signed. */
final class Moves {
  private static final Set<String> HIDES = Set.of("discard", "give", "swap");

  private final Terms terms;
  private final long number;
  private final Hand hand;
  private final TreeMap<Long, Hidden> hidden = new TreeMap<>();
  private final Map<Long, byte[]> heads = new HashMap<>();
  private final Map<Long, String> sent = new HashMap<>();
  private final Set<Long> accepted = new HashSet<>();
  private final Set<Long> stood = new HashSet<>();

  /** A card that its seat has laid face down. */
  private record Hidden(Seat seat, String word, byte[] commit) {
    /** Whether cards at these positions may be what it laid face down. */
    boolean mayOpen(List<Long> places, int cards) {
      boolean sound = places.size() == (word.equals("swap") ? Dealing.SWAP_POSITIONS.size() : 1);
      for (int i = 0; i < places.size(); i++) {
        sound &= places.get(i) < cards && (i == 0 || places.get(i - 1) < places.get(i));
      }
      return sound;
    }
  }

  private record Attempt(long after, Seat seat, String action) {}

  Moves(Terms terms, long number, Hand hand) {
    this.terms = terms;
    this.number = number;
    this.hand = hand;
  }

  /** Note the head after an event that a move may follow. */
  void follows(Event event) {
    heads.put(event.seq(), event.head());
  }

  /** Note that a move of ours was accepted as this event. */
  void accepted(long seq) {
    accepted.add(seq);
  }

  /** Insist that a move of ours that was accepted for an event stands there. */
  void checkStood(long seq) {
    if (accepted.contains(seq) && !stood.contains(seq)) {
      throw new SealBrokenException(
          "event " + seq + ": our move was accepted, and this is not the move we made");
    }
  }

  /**
   * Note a move that is about to be sent; what we sign of it. {@code blind} is there where the move
   * is hidden; one that is not legal stands as it is.
   */
  String send(long seq, String action, byte[] blind) {
    String text = blind.length == 0 ? action : hiddenText(action, blind);
    sent.put(seq, text);
    return text;
  }

  private String hiddenText(String action, byte[] blind) {
    String[] words = action.split(" ");
    List<Long> places =
        Arrays.stream(words)
            .skip(1)
            .map(hand::positionOf)
            .flatMap(Optional::stream)
            .sorted()
            .toList();
    if (places.size() != words.length - 1) {
      throw new SealBrokenException(
          "deal %d: '%s' hides a card we were not dealt".formatted(number, action));
    }
    byte[] commit =
        Seal.hiddenMove(terms.match(), number, terms.seat().ordinal(), places, split(blind));
    return words[0] + " " + Hex.of(commit);
  }

  private static List<byte[]> split(byte[] blinds) {
    List<byte[]> parts = new ArrayList<>();
    for (int at = 0; at < blinds.length; at += Seal.HASH) {
      parts.add(Arrays.copyOfRange(blinds, at, at + Seal.HASH));
    }
    return parts;
  }

  /**
   * An action: ours is what we sent, a signing seat's is signed, unless it was played for it. One
   * that hides a card is kept until its opening. {@code before} is the head that it follows.
   */
  void take(Event event, byte[] before) {
    Fields fields = event.fields();
    Seat seat = fields.seat("seat");
    String word = fields.text("action");
    Optional<byte[]> commit =
        fields.has("commit") ? Optional.of(fields.octets("commit", Seal.HASH)) : Optional.empty();
    String first = word.split(" ", 2)[0];
    if (HIDES.contains(first) != commit.isPresent() || commit.isPresent() && !word.equals(first)) {
      throw fields.fault(
          "'" + word + "' does not hide what it should, or hides what it should not");
    }
    String move = commit.map(hash -> word + " " + Hex.of(hash)).orElse(word);
    boolean fallback = fields.has("fallback");
    if (fallback && seat == terms.seat() && accepted.contains(event.seq())) {
      throw fields.fault("our move was accepted, and '" + move + "' stands as played for us");
    }
    if (!fallback && seat == terms.seat()) {
      stood.add(event.seq());
    }
    byte[] sig = signature(fields);
    if (sig.length > 0 || !fallback) {
      checkSignature(
          fields.where() + ": the move of " + seat.word(),
          seat,
          sig,
          Seal.moveSignedBytes(terms.match(), number, event.seq(), before, move));
      String ours = seat == terms.seat() ? sent.get(event.seq()) : null;
      if (ours != null && !ours.equals(move)) {
        throw fields.fault("'" + move + "' is not the move we made, '" + ours + "'");
      }
    }
    commit.ifPresent(hash -> hide(event.seq(), seat, word, hash));
  }

  private void hide(long seq, Seat seat, String word, byte[] commit) {
    if (word.equals("swap") && seat == terms.seat()) {
      hand.await(Hand.Awaited.SWAP);
    }
    if (word.equals("give") && seat == terms.seat().partner()) {
      hand.await(Hand.Awaited.GIFT);
    }
    hidden.put(seq, new Hidden(seat, word, commit));
  }

  private static byte[] signature(Fields fields) {
    return fields.has("seat_sig")
        ? fields.octets("seat_sig", Ed25519.SIGNATURE_BYTES)
        : new byte[0];
  }

  /** Insist that a seat with a key has signed, and no other. */
  void checkSignature(String what, Seat seat, byte[] sig, byte[] message) {
    Optional<byte[]> key = terms.keys().get(seat.ordinal());
    if (key.isEmpty() && sig.length > 0) {
      throw new SealBrokenException(what + " is signed, and its seat has no key");
    }
    if (key.isPresent() && !Ed25519.verifies(key.get(), sig, message)) {
      throw new SealBrokenException(what + " is not signed by its seat");
    }
  }

  /** Insist that everything hidden is opened, as it was hidden. */
  void checkOpenings(Fields close) {
    TreeMap<Long, Hidden> left = new TreeMap<>(hidden);
    for (Fields opening : close.childrenOrNone("openings")) {
      long seq = opening.number("seq");
      Hidden card = left.remove(seq);
      if (card == null) {
        throw opening.fault("event " + seq + " hides nothing");
      }
      List<Long> places = opening.numbers("positions");
      List<byte[]> blinds = opening.octetsList("blinds", places.size(), Seal.HASH);
      byte[] made = Seal.hiddenMove(terms.match(), number, card.seat().ordinal(), places, blinds);
      if (!card.mayOpen(places, terms.pack().size()) || !Arrays.equals(made, card.commit())) {
        throw opening.fault("it does not open what event " + seq + " hid");
      }
    }
    if (!left.isEmpty()) {
      throw close.fault("event " + left.firstKey() + " was never opened");
    }
  }

  /** An attempt counts against a signing seat only under its signature, and once. */
  void checkAttempts(Fields close) {
    Set<Attempt> seen = new HashSet<>();
    for (Fields tried : close.childrenOrNone("attempts")) {
      Seat seat = tried.seat("seat");
      Attempt attempt = new Attempt(tried.number("after"), seat, tried.text("action"));
      byte[] sig = signature(tried);
      String what = tried.where() + ": the attempt of " + seat.word();
      if (!seen.add(attempt) && sig.length > 0) {
        throw new SealBrokenException(what + " is listed twice, and was signed once");
      }
      byte[] before = heads.get(attempt.after());
      byte[] message =
          before == null
              ? new byte[0]
              : Seal.moveSignedBytes(
                  terms.match(), number, attempt.after() + 1, before, attempt.action());
      checkSignature(what, seat, sig, message);
    }
  }
}
