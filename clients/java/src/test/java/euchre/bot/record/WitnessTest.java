package euchre.bot.record;

import static euchre.bot.record.ScriptedMatch.DEAL;
import static euchre.bot.record.ScriptedMatch.filled;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import euchre.bot.Seat;
import euchre.bot.errors.SealBrokenException;
import euchre.bot.files.ReceiptFile;
import euchre.bot.files.StateFile;
import euchre.bot.seal.Hex;
import euchre.bot.seal.Opened;
import euchre.bot.seal.ReceiptItem;
import euchre.bot.seal.Seal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** North follows an honest record, and leaves each one that lies. */
final class WitnessTest {
  private static final byte[] SECRET = filled(32, 1);
  private static final Seat ME = Seat.NORTH;

  @TempDir private Path folder;
  private final List<Witness> open = new ArrayList<>();
  private ScriptedMatch match = new ScriptedMatch(Seat.SOUTH);
  private Witness witness;
  private int told;

  @AfterEach
  void giveTheFilesBack() {
    open.forEach(Witness::close);
  }

  private void sitDown() {
    StateFile state = new StateFile(folder.resolve("state"), ME);
    Receipts receipts =
        new Receipts(
            match.match, match.referee.open(), new ReceiptFile(folder.resolve("receipts")));
    witness = new Witness(match.claim(ME), SECRET, state, receipts, new SecureRandom());
    open.add(witness);
    told = 0;
  }

  private void tell() {
    for (; told < match.lines().size(); told++) {
      ScriptedMatch.Line line = match.lines().get(told);
      witness.take(line.event(), line.sig());
    }
  }

  private void playToCommitSet() {
    sitDown();
    match.open();
    tell();
    match.commits(ME, witness.commit(DEAL, false));
    match.commitSet();
    tell();
  }

  private void playToCards() {
    playToCommitSet();
    match.reveals(ME, witness.reveal(DEAL).seed());
    tell();
    give(match.cards(ME));
    match.turnUp();
    tell();
  }

  private void give(List<Opened> cards) {
    witness.privateDeal(DEAL, match.root(), cards, match.signCards(ME, cards));
  }

  private void playAll() {
    playToCards();
    match.action(Seat.WEST, "pass");
    tell();
    witness.move(DEAL, witness.nextSeq(), "pass", new byte[0]);
    match.action(ME, "pass");
    match.close();
    tell();
  }

  private static void assertBroken(String words, Executable work) {
    SealBrokenException broken = assertThrows(SealBrokenException.class, work);
    assertTrue(broken.getMessage().contains(words), broken.getMessage());
  }

  /** Leave the match at a lie in the events of a kind. */
  private void assertFound(String kind, Consumer<Map<String, Object>> lie, String words) {
    match = new ScriptedMatch(Seat.SOUTH).lie(kind, lie);
    folder = folder.resolve(kind + words.hashCode());
    assertBroken(words, this::playAll);
  }

  private static Consumer<Map<String, Object>> set(String key, Object value) {
    return fields -> fields.put(key, value);
  }

  private static Consumer<Map<String, Object>> setInList(String key, int place, Object value) {
    return fields -> {
      List<Object> items = new ArrayList<>((List<?>) fields.get(key));
      items.set(place, value);
      fields.put(key, items);
    };
  }

  @Test
  void anHonestMatchIsFollowedToItsEnd() {
    playAll();
    assertEquals(match.lines().size(), witness.nextSeq());
  }

  @Test
  void theSeedIsThatOfTheSecret() {
    playToCommitSet();
    assertArrayEquals(Seal.seatSeed(SECRET, match.match, DEAL), witness.reveal(DEAL).seed());
  }

  @Test
  void matchOpenHasToSayWhatTheSeatWasTold() {
    String other = Hex.of(filled(16, 3));
    assertFound("match_open", set("match", other), "not the one we joined");
    assertFound("match_open", set("protocol", "euchre-sealed/v2"), "protocol is not");
    assertFound("match_open", set("rules", Map.of("pack", "E24")), "rules are not those");
    assertFound("match_open", set("rule_set", Hex.of(filled(32, 3))), "hash of the rules");
    assertFound("match_open", set("pack", "E25"), "pack is not that of the rules");
    assertFound("match_open", set("seats", List.of()), "seats are not four");
    Map<String, String> seat = Map.of("name", "other", "level", "checks", "seed_by", "seat");
    assertFound("match_open", setInList("seats", 0, seat), "not entered as we said");
    Map<String, String> host = Map.of("name", "bot", "level", "checks", "seed_by", "host");
    assertFound("match_open", setInList("seats", 0, host), "not entered as we said");
  }

  @Test
  void aChangedCommitSetIsRefused() {
    String other = Hex.of(filled(32, 3));
    assertFound("commit_set", setInList("commits", 0, other), "our own commitment");
    assertFound("commit_set", setInList("commits", 1, other), "commitment of east");
    assertFound("commit_set", set("cset", other), "not the hash of the commit set");
    assertFound("commit_set", set("r_commit", other), "does not continue the referee's chain");
    assertFound(
        "commit_set",
        fields -> {
          List<?> commits = (List<?>) fields.get("commits");
          setInList("commits", 1, commits.get(2)).accept(fields);
        },
        "two seats have the same commitment");
  }

  @Test
  void aSeedOtherThanTheCommittedOneIsRefused() {
    String other = Hex.of(filled(32, 3));
    assertFound("reveal_set", setInList("seeds", 2, other), "the seed of south");
    assertFound("reveal_set", setInList("seeds", 2, ""), "the seed of south");
    assertFound("reveal_set", set("cut", 3L), "a cut goes with a cutter");
    String sig = Hex.of(new byte[64]);
    assertFound("reveal_set", setInList("sigs", 2, sig), "its seat has no key");
  }

  @Test
  void leavesOrRootThatDoNotBelongTogetherAreRefused() {
    String other = Hex.of(filled(32, 3));
    assertFound("deck_root", setInList("leaves", 23, other), "not that of the leaves");
    assertFound("deck_root", set("root", other), "not that of the leaves");
  }

  @Test
  void anUpcardOtherThanTheSealedOneIsRefused() {
    assertFound("turn_up", set("salt", Hex.of(filled(32, 3))), "is not the sealed card");
    assertFound("turn_up", set("position", 21L), "the upcard lies at 20");
    assertFound("turn_up", set("card", "1X"), "not a card of the pack");
  }

  @Test
  void aCloseThatDoesNotGiveTheSealedDeckIsRefused() {
    assertFound("deal_close", set("r", Hex.of(filled(32, 3))), "r does not continue");
    assertFound("deal_close", set("deck", "JH"), "not the one that the seeds give");
  }

  @Test
  void eventsComeInOrderAndUnbroken() {
    assertFound("deal_open", set("seq", 7L), "where event 1 was due");
    assertFound("deal_open", set("prev", Hex.of(filled(32, 3))), "does not continue the chain");
    assertFound("deal_open", set("kind", "turn_up"), "cannot come after match_open");
    assertFound("deal_open", set("deal", 2L), "is not the next one");
    assertFound("deal_open", set("cutter", "east"), "the wrong seat cuts");
    assertFound("deal_open", set("deal", 0L), "the draw for it has none");
  }

  @Test
  void whatMustBeSignedIsSignedByTheReferee() {
    sitDown();
    match.open();
    byte[] event = match.lines().get(0).event();
    assertBroken("not signed by the referee", () -> witness.take(event, new byte[0]));
    sitDown();
    byte[] sig = new byte[64];
    assertBroken("not the referee's", () -> witness.take(event, sig));
  }

  @Test
  void aWrongOpeningIsFoundAtOnceAndKept() throws Exception {
    playToCommitSet();
    match.reveals(ME, witness.reveal(DEAL).seed());
    tell();
    List<Opened> cards = new ArrayList<>(match.cards(ME));
    Opened first = cards.get(0);
    cards.set(0, new Opened(first.position(), match.opened(23).card(), first.salt()));
    assertBroken("(they are kept: the proof)", () -> give(cards));
    String kept = Files.readString(folder.resolve("receipts"));
    assertTrue(kept.contains("\"salt\":\"" + Hex.of(first.salt())), kept);
  }

  @Test
  void cardsOfAnotherSeatAreRefused() {
    playToCommitSet();
    match.reveals(ME, witness.reveal(DEAL).seed());
    tell();
    assertBroken("are not those of north", () -> give(match.cards(Seat.EAST)));
  }

  @Test
  void cardsThatTheRefereeDidNotSignAreRefused() {
    playToCommitSet();
    match.reveals(ME, witness.reveal(DEAL).seed());
    tell();
    byte[] sig = match.signCards(Seat.EAST, match.cards(ME));
    assertBroken(
        "not the referee's", () -> witness.privateDeal(DEAL, match.root(), match.cards(ME), sig));
  }

  @Test
  void aCardInTheViewThatWasNotDealtIsFound() {
    playToCards();
    List<String> hand = match.cards(ME).stream().map(Opened::card).toList();
    witness.checkAsk(DEAL, witness.nextSeq(), hand);
    String strange = match.opened(23).card();
    assertBroken(
        "was not dealt to us", () -> witness.checkAsk(DEAL, witness.nextSeq(), List.of(strange)));
  }

  @Test
  void aQuestionAboutAnOldPositionIsRefused() {
    playToCards();
    assertBroken("is next", () -> witness.checkAsk(DEAL, 3, List.of()));
  }

  @Test
  void aMoveThatWeDidNotMakeIsFound() {
    playToCards();
    match.action(Seat.WEST, "pass");
    tell();
    witness.move(DEAL, witness.nextSeq(), "pass", new byte[0]);
    match.action(ME, "order");
    assertBroken("is not the move we made", this::tell);
  }

  @Test
  void anAcceptedMoveIsNotPlayedForUs() {
    playToCards();
    long seq = witness.nextSeq();
    witness.move(DEAL, seq, "order", new byte[0]);
    witness.moveAccepted(DEAL, seq);
    match.lie("action", set("fallback", "TIMEOUT"));
    match.action(ME, "pass");
    assertBroken("stands as played for us", this::tell);
  }

  @Test
  void aHiddenCardIsOpenedAsItWasHidden() {
    match = new ScriptedMatch(ME);
    playToCards();
    match.action(Seat.EAST, "order");
    tell();
    Opened card = match.cards(ME).get(0);
    byte[] blind = filled(32, 5);
    witness.move(DEAL, witness.nextSeq(), "discard " + card.card(), blind);
    byte[] commit = Seal.hiddenMove(match.match, DEAL, 0, List.of(card.position()), List.of(blind));
    long seq = match.lines().size();
    match.hiddenAction(ME, "discard", commit);
    match.close(opening(seq, card.position() + 1, blind));
    assertBroken("it does not open what event", this::tell);
  }

  @Test
  void aHiddenCardThatIsNeverOpenedIsFound() {
    playToCards();
    match.hiddenAction(Seat.SOUTH, "discard", filled(32, 6));
    match.close();
    assertBroken("was never opened", this::tell);
  }

  private static Map<String, Object> opening(long seq, long position, byte[] blind) {
    return Map.of("seq", seq, "positions", List.of(position), "blinds", List.of(Hex.of(blind)));
  }

  @Test
  void whatIsAcceptedComesWithAReceipt() {
    playToCommitSet();
    witness.revealAccepted(DEAL);
    assertBroken("without a receipt", witness::endOfMessage);
  }

  @Test
  void aReceiptForTheCommitSetSettlesTheReveal() {
    playToCommitSet();
    witness.revealAccepted(DEAL);
    receipt(match.receipt(match.lines().size() - 1));
    witness.endOfMessage();
  }

  private void receipt(ReceiptItem item) {
    List<ReceiptItem> items = List.of(item);
    witness.receipt(items, match.referee.sign(Seal.receiptBytes(items)));
  }

  @Test
  void anEventOtherThanTheReceiptNamesIsFound() {
    playToCards();
    receipt(new ReceiptItem(match.match, DEAL, witness.nextSeq(), filled(32, 4)));
    match.action(Seat.WEST, "pass");
    assertBroken("not the one that the referee gave us a receipt for", this::tell);
  }

  @Test
  void aReceiptThatTheRefereeDidNotSignIsRefused() {
    playToCards();
    List<ReceiptItem> items = List.of(match.receipt(2));
    assertBroken("not the referee's", () -> witness.receipt(items, new byte[64]));
  }

  @Test
  void aSecondCommitSetIsNotAnsweredAfterARestart() {
    playToCommitSet();
    witness.reveal(DEAL);
    byte[] ours = witness.commit(DEAL, false);
    ScriptedMatch again = new ScriptedMatch(Seat.SOUTH);
    again.otherCommit(Seat.EAST, filled(32, 8));
    match = again;
    sitDown();
    match.open();
    match.commits(ME, ours);
    match.commitSet();
    assertBroken("has a second commit set", this::tell);
  }

  @Test
  void aMatchIdWithAnotherChainIsLeft() {
    playToCommitSet();
    match = new ScriptedMatch(Seat.SOUTH);
    match.r0 = filled(32, 8);
    sitDown();
    match.open();
    assertBroken("its seeds are spent", this::tell);
  }

  @Test
  void aSeatWithOurSecretIsNoticedOnce() {
    sitDown();
    match.open();
    tell();
    byte[] seed = Seal.seatSeed(SECRET, match.match, DEAL);
    match.otherCommit(Seat.EAST, Seal.seatCommit(match.match, DEAL, 1, seed, null));
    match.commits(ME, witness.commit(DEAL, false));
    List<Seat> twins = new ArrayList<>();
    for (; told < match.lines().size(); told++) {
      Event event = witness.take(match.lines().get(told).event(), match.lines().get(told).sig());
      witness.twin(event).ifPresent(twins::add);
    }
    assertEquals(List.of(Seat.EAST), twins);
  }
}
