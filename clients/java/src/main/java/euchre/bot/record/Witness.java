package euchre.bot.record;

import euchre.bot.Level;
import euchre.bot.Seat;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.files.StateFile;
import euchre.bot.seal.Ed25519;
import euchre.bot.seal.Opened;
import euchre.bot.seal.ReceiptItem;
import euchre.bot.seal.Seal;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The seat's own account of a match: every duty of the seal, event by event. Anything that does not
 * hold is a SealBrokenException.
 */
public final class Witness implements AutoCloseable {
  private final Claim claim;
  private final byte[] secret;
  private final StateFile state;
  private final Receipts receipts;
  private final SecureRandom chance;
  private final EventChain chain = new EventChain();
  private final Order order = new Order();
  private final Set<Seat> twins = EnumSet.noneOf(Seat.class);
  private Terms terms;
  private byte[] r0;
  private Link link;
  private Deal deal;
  private Optional<Seat> drawn = Optional.empty();

  public Witness(
      Claim claim, byte[] secret, StateFile state, Receipts receipts, SecureRandom chance) {
    this.claim = claim;
    this.secret = secret;
    this.state = state;
    this.receipts = receipts;
    this.chance = chance;
  }

  @Override
  public void close() {
    state.close();
    receipts.close();
  }

  /** The first event not yet seen: the position to resume from. */
  public long nextSeq() {
    return chain.nextSeq();
  }

  /** Follow one public event. */
  public Event take(byte[] raw, byte[] sig) {
    byte[] before = chain.head();
    Event event = chain.take(raw, sig);
    order.take(event.fields(), event.kind());
    receipts.saw(event.seq(), event.head());
    switch (event.kind()) {
      case "match_open" -> open(event.fields());
      case "match_close" -> checkEnd(event.fields());
      case "deal_open" -> openDeal(event.fields());
      default -> step(event, deal(event.fields().where(), event.fields().number("deal")), before);
    }
    return event;
  }

  private void step(Event event, Deal current, byte[] before) {
    Fields fields = event.fields();
    switch (event.kind()) {
      case "seat_commit" -> current.takeCommit(fields);
      case "commit_set" -> {
        current.takeCommitSet(event);
        state.checkAnswer(claim.match(), current.number, current.cset());
      }
      case "reveal_set" -> current.takeRevealSet(fields);
      case "deck_root" -> current.takeDeckRoot(fields);
      case "dealer_draw" -> drawn = Optional.of(current.takeDealerDraw(fields));
      case "turn_up" -> {
        current.takeTurnUp(fields);
        current.moves.follows(event);
      }
      case "action" -> {
        current.moves.take(event, before);
        current.moves.follows(event);
      }
      case "deal_close" -> link = current.takeClose(fields);
      default -> throw fields.fault("no event has this kind");
    }
    checkStood(current, event.seq());
  }

  /** What was accepted stands; a seat that only plays holds the referee to nothing. */
  private void checkStood(Deal current, long seq) {
    if (claim.level() != Level.PLAYS) {
      current.moves.checkStood(seq);
    }
  }

  private void open(Fields fields) {
    terms = Opening.read(fields, claim, chain.key());
    r0 = fields.octets("r0", Seal.HASH);
    state.checkMatch(claim.match(), r0);
    link = new Link(0, r0);
  }

  /** Whether the match has to end with this deal: its deck was known, and was thrown away. */
  private boolean ends() {
    return deal != null && deal.isVoided() && terms.rated();
  }

  private void checkEnd(Fields fields) {
    String outcome = fields.text("outcome");
    if (ends() && !outcome.equals("void") && !outcome.equals("aborted")) {
      throw fields.fault(
          "it is closed '%s' after deal %d, which was closed void after its commit set"
              .formatted(outcome, deal.number));
    }
  }

  private void openDeal(Fields fields) {
    long number = fields.number("deal");
    if (ends()) {
      throw fields.fault(
          "the match goes on after deal %d, which was closed void after its commit set"
              .formatted(deal.number));
    }
    boolean isNext = deal == null ? number <= 1 : number == deal.number + 1;
    if (!isNext) {
      throw fields.fault("deal " + number + " is not the next one");
    }
    if (number >= terms.chain()) {
      throw fields.fault("the referee's chain has no link for deal " + number);
    }
    Optional<Seat> dealer = seatIfThere(fields, "dealer");
    Optional<Seat> cutter = seatIfThere(fields, "cutter");
    if (dealer.isEmpty() != (number == 0)) {
      throw fields.fault("a deal has a dealer, the draw for it has none");
    }
    if (number == 1 && drawn.isPresent() && !dealer.equals(drawn)) {
      throw fields.fault("the dealer is not the one who was drawn");
    }
    Optional<Seat> due =
        dealer
            .flatMap(seat -> Dealing.cutter(terms.cut(), seat))
            .filter(seat -> !terms.declined().contains(seat));
    if (!cutter.equals(due)) {
      throw fields.fault("the wrong seat cuts");
    }
    deal = new Deal(terms, number, link, dealer, cutter);
    deal.mine(promisedCommit());
    receipts.forgetBefore(chain.nextSeq() - 1);
  }

  private static Optional<Seat> seatIfThere(Fields fields, String key) {
    return fields.has(key) ? Optional.of(fields.seat(key)) : Optional.empty();
  }

  /** Our commitment as far as it stands already; null where we cut and have not said where. */
  private byte[] promisedCommit() {
    if (terms.declined().contains(claim.seat())) {
      return ownCommit(new byte[0], null);
    }
    Optional<Integer> cut = Optional.empty();
    if (deal.isCutter(claim.seat())) {
      cut = state.promisedCut(claim.match(), deal.number);
      if (cut.isEmpty()) {
        return null;
      }
    }
    return ownCommit(seed(), cut.orElse(null));
  }

  private byte[] ownCommit(byte[] seed, Integer cut) {
    return Seal.seatCommit(claim.match(), deal.number, claim.seat().ordinal(), seed, cut);
  }

  private byte[] seed() {
    return Seal.seatSeed(secret, claim.match(), deal.number);
  }

  private Deal deal(String where, long number) {
    if (deal == null || deal.number != number) {
      throw new SealBrokenException(where + ": deal " + number + " is not open");
    }
    return deal;
  }

  /** The other seat whose commitment our own secret gives, if this event is its first. */
  public Optional<Seat> twin(Event event) {
    if (!event.kind().equals("seat_commit") || claim.level() == Level.PLAYS) {
      return Optional.empty();
    }
    Seat seat = event.fields().seat("seat");
    if (seat == claim.seat() || twins.contains(seat)) {
      return Optional.empty();
    }
    Stream<Integer> cuts =
        deal.isCutter(seat)
            ? IntStream.range(0, terms.pack().size()).boxed()
            : Stream.of((Integer) null);
    byte[] seed = seed();
    byte[] made = deal.commitOf(seat);
    boolean same =
        cuts.anyMatch(
            cut ->
                Arrays.equals(
                    made, Seal.seatCommit(claim.match(), deal.number, seat.ordinal(), seed, cut)));
    if (!same) {
      return Optional.empty();
    }
    twins.add(seat);
    return Optional.of(seat);
  }

  /** Our commitment to a deal, promised on disk before it is returned. */
  public byte[] commit(long number, boolean asCutter) {
    deal("ask for a commitment", number);
    if (asCutter != deal.isCutter(claim.seat())) {
      throw new SealBrokenException(
          "deal " + number + ": we are asked for a cut against deal_open");
    }
    Optional<Integer> cut =
        asCutter ? Optional.of(chance.nextInt(terms.pack().size())) : Optional.empty();
    Optional<Integer> stands = state.promise(claim.match(), r0, number, cut);
    byte[] commit = ownCommit(seed(), stands.orElse(null));
    deal.mine(commit);
    return commit;
  }

  /** Our seed and cut, once the commit set has been checked and written down. */
  public Reveal reveal(long number) {
    deal("ask for a reveal", number);
    if (!deal.hasCommitSet()) {
      throw new SealBrokenException(
          "deal " + number + ": we are asked to reveal before the commit set");
    }
    state.answer(claim.match(), number, deal.cset());
    Optional<Integer> cut =
        deal.isCutter(claim.seat()) ? state.promisedCut(claim.match(), number) : Optional.empty();
    byte[] sig =
        claim.key().map(key -> key.sign(deal.revealMessage(claim.seat()))).orElse(new byte[0]);
    return new Reveal(seed(), cut, deal.cset(), deal.csetHead(), sig);
  }

  /** Check the cards that were sent to us alone; signed ones that are wrong are kept. */
  public void privateDeal(long number, byte[] root, List<Opened> cards, byte[] sig) {
    byte[] message =
        Seal.privateDealBytes(claim.match(), number, claim.seat().ordinal(), root, cards);
    if (!Ed25519.verifies(claim.refereeKey(), sig, message)) {
      throw new SealBrokenException(
          "the private deal of deal " + number + " has a signature that is not the referee's");
    }
    deal("the private deal of deal " + number, number);
    try {
      deal.hand.takePrivateDeal(root, cards);
    } catch (SealBrokenException err) {
      boolean kept =
          receipts.file().keepDeal(claim.match(), number, claim.seat(), root, cards, sig);
      throw kept
          ? new SealBrokenException(err.getMessage() + " (they are kept: the proof)", err)
          : err;
    }
  }

  /** Check that we are asked at the newest event, and shown the cards sealed for us. */
  public void checkAsk(long number, long seq, List<String> hand) {
    if (seq != chain.nextSeq()) {
      throw new SealBrokenException(
          "we are asked for event %d, and event %d is next".formatted(seq, chain.nextSeq()));
    }
    deal("ask for an action", number).hand.checkView(hand);
  }

  /** Note what we are about to send, to know it again in the record; our signature of it. */
  public byte[] move(long number, long seq, String action, byte[] blind) {
    String text = deal("our move", number).moves.send(seq, action, blind);
    byte[] message = Seal.moveSignedBytes(claim.match(), number, seq, chain.head(), text);
    return claim.key().map(key -> key.sign(message)).orElse(new byte[0]);
  }

  /** A move of ours was accepted as an event: its receipt is due. */
  public void moveAccepted(long number, long seq) {
    if (deal != null && deal.number == number) {
      deal.moves.accepted(seq);
      if (seq < chain.nextSeq()) {
        checkStood(deal, seq);
      }
    }
    receiptDue(number, OptionalLong.of(seq));
  }

  /** A commitment of ours was accepted: its receipt is due. */
  public void commitAccepted(long number) {
    receiptDue(number, OptionalLong.empty());
  }

  /** A reveal of ours was accepted: its receipt, which names the commit set, is due. */
  public void revealAccepted(long number) {
    OptionalLong answered =
        deal != null && deal.number == number
            ? OptionalLong.of(deal.csetSeq())
            : OptionalLong.empty();
    receiptDue(number, answered);
    if (deal != null && deal.number == number && claim.level() != Level.PLAYS) {
      deal.revealed();
    }
  }

  private void receiptDue(long number, OptionalLong seq) {
    if (claim.level() != Level.PLAYS) {
      receipts.accepted(number, seq);
    }
  }

  /** Check and keep what the referee says it has accepted. */
  public void receipt(List<ReceiptItem> items, byte[] sig) {
    receipts.take(items, sig);
  }

  /** Insist on a receipt for everything that was accepted in the message. */
  public void endOfMessage() {
    receipts.endOfMessage();
  }
}
