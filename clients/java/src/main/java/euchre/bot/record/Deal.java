package euchre.bot.record;

import euchre.bot.Seat;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.seal.Ed25519;
import euchre.bot.seal.Opened;
import euchre.bot.seal.Seal;
import euchre.bot.seal.SealedDeck;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The seal of one deal as its seat follows it, from the commitments to the close; every step that
 * breaks a promise is a SealBrokenException.
 */
final class Deal {
  final Terms terms;
  final long number;
  final Optional<Seat> cutter;
  final Hand hand;
  final Moves moves;

  private final Link link;
  private final Map<Seat, byte[]> commits = new EnumMap<>(Seat.class);
  private byte[] mine;
  private List<byte[]> allCommits = List.of();
  private byte[] cset;
  private long csetSeq;
  private byte[] head;
  private List<byte[]> seeds;
  private Integer cut;
  private Optional<Seat> start = Optional.empty();
  private boolean revealed;
  private boolean blamed;
  private boolean voided;

  Deal(Terms terms, long number, Link link, Optional<Seat> dealer, Optional<Seat> cutter) {
    this.terms = terms;
    this.number = number;
    this.link = link;
    this.cutter = cutter;
    this.hand = new Hand(terms, number, dealer);
    this.moves = new Moves(terms, number, hand);
  }

  /** Set our own commitment; null where none of ours can stand yet. */
  void mine(byte[] commit) {
    mine = commit;
  }

  boolean isCutter(Seat seat) {
    return cutter.filter(seat::equals).isPresent();
  }

  /** What a seat has committed to. */
  byte[] commitOf(Seat seat) {
    return commits.get(seat);
  }

  boolean hasCommitSet() {
    return cset != null;
  }

  byte[] cset() {
    return cset;
  }

  long csetSeq() {
    return csetSeq;
  }

  /** The head after commit_set. */
  byte[] csetHead() {
    return head;
  }

  /** A seat's commitment. */
  void takeCommit(Fields fields) {
    Seat seat = fields.seat("seat");
    byte[] commit = fields.octets("commit", Seal.HASH);
    if (hasCommitSet() || commits.containsKey(seat) || terms.declined().contains(seat)) {
      throw fields.fault(seat.word() + " cannot commit now");
    }
    if (seat == terms.seat() && !Arrays.equals(commit, mine)) {
      throw fields.fault("the commitment of " + seat.word() + " is not the one of our secret");
    }
    commits.put(seat, commit);
  }

  /** The signed set of commitments: ours in place, four that differ, the chain continued. */
  void takeCommitSet(Event event) {
    Fields fields = event.fields();
    List<byte[]> listed = fields.octetsList("commits", Seat.COUNT, Seal.HASH);
    if (!Arrays.equals(listed.get(terms.seat().ordinal()), mine)) {
      throw fields.fault("our own commitment is not in its place");
    }
    if (listed.stream().map(ByteBuffer::wrap).distinct().count() != Seat.COUNT) {
      throw fields.fault("two seats have the same commitment");
    }
    for (Seat seat : Seat.values()) {
      if (!Arrays.equals(listed.get(seat.ordinal()), promised(seat))) {
        throw fields.fault("the commitment of " + seat.word() + " is not the one it made");
      }
    }
    byte[] rCommit = fields.octets("r_commit", Seal.HASH);
    if (!continuesChain(rCommit, number)) {
      throw fields.fault("r_commit does not continue the referee's chain");
    }
    byte[] made = Seal.commitSet(terms.match(), number, terms.packName(), rCommit, listed);
    if (!Arrays.equals(made, fields.octets("cset", Seal.HASH))) {
      throw fields.fault("cset is not the hash of the commit set");
    }
    allCommits = listed;
    cset = made;
    head = event.head();
    csetSeq = event.seq();
  }

  private byte[] promised(Seat seat) {
    return terms.declined().contains(seat)
        ? Seal.seatCommit(terms.match(), number, seat.ordinal(), new byte[0], null)
        : commits.get(seat);
  }

  private boolean continuesChain(byte[] value, long index) {
    return Arrays.equals(
        Seal.chainDescend(terms.match(), value, index, link.index()), link.value());
  }

  /** The seeds, each one that was committed to. */
  void takeRevealSet(Fields fields) {
    if (!hasCommitSet()) {
      throw fields.fault("it came before commit_set");
    }
    List<byte[]> shown = fields.octetsList("seeds", Seat.COUNT, 0, Seal.HASH);
    if (fields.has("cut") != cutter.isPresent()) {
      throw fields.fault("a cut goes with a cutter, and only with one");
    }
    Integer place = fields.has("cut") ? Integer.valueOf((int) checkedCut(fields)) : null;
    List<byte[]> sigs = fields.octetsList("sigs", Seat.COUNT, 0, Ed25519.SIGNATURE_BYTES);
    for (Seat seat : Seat.values()) {
      byte[] seed = shown.get(seat.ordinal());
      Integer own = isCutter(seat) ? place : null;
      byte[] commit = Seal.seatCommit(terms.match(), number, seat.ordinal(), seed, own);
      boolean declined = terms.declined().contains(seat);
      if ((seed.length == 0) != declined
          || !Arrays.equals(commit, allCommits.get(seat.ordinal()))) {
        throw fields.fault("the seed of " + seat.word() + " is not the one it committed to");
      }
      moves.checkSignature(
          fields.where() + ": the reveal of " + seat.word(),
          seat,
          sigs.get(seat.ordinal()),
          revealMessage(seat));
    }
    seeds = shown;
    cut = place;
  }

  private long checkedCut(Fields fields) {
    long place = fields.number("cut");
    if (place >= terms.pack().size()) {
      throw fields.fault("the cut " + place + " is more than the pack holds");
    }
    return place;
  }

  /** What a seat signs of its reveal. */
  byte[] revealMessage(Seat seat) {
    byte[] commit = allCommits.get(seat.ordinal());
    return Seal.revealSignedBytes(terms.match(), number, seat.ordinal(), cset, commit, head);
  }

  /** The leaves of the deck and their root. */
  void takeDeckRoot(Fields fields) {
    if (seeds == null) {
      throw fields.fault("it came before reveal_set");
    }
    List<byte[]> leaves = fields.octetsList("leaves", terms.pack().size(), Seal.HASH);
    byte[] root = Seal.treeHead(leaves);
    if (!Arrays.equals(root, fields.octets("root", Seal.HASH))) {
      throw fields.fault("the root is not that of the leaves");
    }
    hand.seal(leaves, root);
  }

  /** The dealer draw's cards, and the dealer it gives. */
  Seat takeDealerDraw(Fields fields) {
    start = Optional.of(fields.seat("start"));
    for (Fields item : fields.children("turned")) {
      hand.takeOpened(item.where(), opened(item));
    }
    Seat dealer = fields.seat("dealer");
    hand.dealer(dealer);
    return dealer;
  }

  /** The upcard. */
  void takeTurnUp(Fields fields) {
    Opened card = opened(fields);
    if (card.position() != Dealing.UPCARD_POSITION) {
      throw fields.fault("the upcard lies at " + Dealing.UPCARD_POSITION);
    }
    hand.takeOpened(fields.where(), card);
  }

  private static Opened opened(Fields fields) {
    return new Opened(
        fields.number("position"), fields.text("card"), fields.octets("salt", Seal.HASH));
  }

  /** The close: the whole deck derived again, and every hidden card opened. */
  Link takeClose(Fields fields) {
    byte[] r = fields.octets("r", Seal.HASH);
    if (!continuesChain(r, number + 1)) {
      throw fields.fault("r does not continue the referee's chain");
    }
    checkOutcome(fields);
    if (hand.isSealed()) {
      checkDeck(fields, r);
    } else if (fields.has("deck")) {
      throw fields.fault("a deck is named though none was sealed");
    }
    moves.checkOpenings(fields);
    moves.checkAttempts(fields);
    return new Link(number + 1, r);
  }

  /** A deal is cut short by a fault or a void alone, and nobody withholds what was not due. */
  private void checkOutcome(Fields fields) {
    String outcome = fields.text("outcome");
    boolean cutShort = outcome.equals("fault") || outcome.equals("void");
    if (!hand.isSealed() && !cutShort) {
      throw fields.fault(
          "only a fault or a void closes a deal before its deck, and it is closed '"
              + outcome
              + "'");
    }
    if (!cutShort && outcome.equals("draw") != (number == 0)) {
      throw fields.fault("the draw for the deal, and no other deal, is closed as draw");
    }
    voided = outcome.equals("void") && hasCommitSet();
    for (Fields fault : fields.childrenOrNone("faults")) {
      Seat seat = fault.seat("seat");
      if (fault.text("why").equals("WITHHELD")) {
        boolean committed = !hasCommitSet() && commits.containsKey(seat);
        if (terms.declined().contains(seat) || hand.isSealed() || committed) {
          throw fault.fault(seat.word() + " is said to have withheld, and nothing of it was due");
        }
        blamed |= seat == terms.seat();
      }
    }
    checkBlame();
  }

  /** Whether it was closed void though its commit set stood. */
  boolean isVoided() {
    return voided;
  }

  /** Our reveal was accepted. */
  void revealed() {
    revealed = true;
    checkBlame();
  }

  /** Insist that we are not said to have withheld a reveal that the referee has accepted. */
  private void checkBlame() {
    if (blamed && revealed) {
      throw new SealBrokenException(
          "deal "
              + number
              + ": we are said to have withheld, and our reveal was accepted"
              + " (its receipt is kept: the proof)");
    }
  }

  private void checkDeck(Fields fields, byte[] r) {
    SealedDeck deck = SealedDeck.derive(terms.match(), number, terms.pack(), r, cset, seeds, cut);
    for (int place = 0; place < deck.leaves().size(); place++) {
      if (!Arrays.equals(deck.leaves().get(place), hand.leaves().get(place))) {
        throw fields.fault("the leaf at position " + place + " is not that of the seeds' deck");
      }
    }
    if (!fields.text("deck").equals(String.join(" ", deck.cards()))) {
      throw fields.fault("the deck is not the one that the seeds give");
    }
    start.ifPresent(seat -> checkDraw(fields, deck, seat));
  }

  private void checkDraw(Fields fields, SealedDeck deck, Seat said) {
    if (said.ordinal() != deck.firstSeat()) {
      throw fields.fault("the dealer draw began at the wrong seat");
    }
    Seat drawn = Dealing.drawnDealer(deck.cards(), terms.firstDealer(), said);
    if (hand.dealer().filter(drawn::equals).isEmpty()) {
      throw fields.fault("the dealer draw named the wrong dealer");
    }
  }
}
