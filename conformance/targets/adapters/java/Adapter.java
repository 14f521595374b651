import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A small Euchre engine that answers the conformance suite; copy it, and put your own in its place.
 *
 * <p>It needs nothing but Java 17 or newer, keeps no state between requests, and shares no code
 * with the suite. Try it: euchre-conformance run -t "cmd:java Adapter.java"
 */
final class Adapter {
  private static final List<String> NAMED =
      List.of("standard", "quick", "throw-in", "defend-alone", "ontario", "guide");
  private static final List<String> ANY =
      List.of(
          "target",
          "first_dealer",
          "packets",
          "cut",
          "points_made",
          "points_march",
          "points_lone_march",
          "points_euchre",
          "points_euchre_all_five",
          "points_lone_euchred",
          "points_lone_defender");
  private static final Map<String, List<String>> SOME =
      Map.of(
          "all_pass", List.of("stick", "throw_in"),
          "throw_in_dealer", List.of("left", "same"),
          "order_needs_trump", List.of("never", "left_counts"),
          "partner_order", List.of("with_partner", "must_be_alone"),
          "bury_upcard", List.of("allowed", "forbidden"),
          "alone_who", List.of("maker", "making_side"),
          "alone_when", List.of("with_call", "before_lead"),
          "defend_alone", List.of("never", "vs_loner"));
  private static final List<String> OPS =
      List.of("legal", "apply", "view", "replay", "score", "game");

  private Adapter() {}

  /** One request a line, one answer a line. */
  public static void main(String... args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Request request = new Request(Json.object(Json.parse(line)));
      Map<String, Object> reply = new LinkedHashMap<>();
      reply.put("id", request.fields().get("id"));
      try {
        reply.putAll(answer(request));
      } catch (PositionException err) {
        reply.put("error", err.getMessage());
      }
      out.println(Json.write(reply));
    }
  }

  private static Map<String, Object> hello() {
    Map<String, Object> knobs = new LinkedHashMap<>(SOME);
    ANY.forEach(knob -> knobs.put(knob, List.of("any")));
    return Map.of(
        "protocol",
        1L,
        "name",
        "small-euchre-java",
        "version",
        "1",
        "language",
        "java",
        "ops",
        OPS,
        "rulesets",
        NAMED,
        "knobs",
        knobs, // besides the named sets: every mixture of these values
        "parallel",
        true);
  }

  private static Map<String, Object> answer(Request request) {
    String op = request.text("op");
    if (op.equals("hello")) {
      return hello();
    }
    if (!OPS.contains(op)) {
      return Map.of("unsupported", op);
    }
    if (op.equals("game")) {
      return game(request);
    }
    Deal deal = request.position(request.rules(), request.score());
    return switch (op) {
      case "apply" -> applied(deal, request);
      case "view" -> Map.of("view", deal.view(Seat.of(request.text("seat"))));
      case "replay" -> replayed(deal, request.tricks());
      case "score" -> deal.result();
      default -> deal.standing();
    };
  }

  private static Map<String, Object> applied(Deal deal, Request request) {
    Seat by = request.has("by") ? Seat.of(request.text("by")) : deal.turn;
    String reason = deal.violation(by, request.text("action"));
    if (!reason.isEmpty()) {
      return deal.refused(reason);
    }
    deal.apply(request.text("action"));
    return deal.standing();
  }

  /** The end of the deal, or the first action that is refused. */
  private static Map<String, Object> replayed(Deal deal, List<String> actions) {
    for (int at = 0; at < actions.size(); at++) {
      String reason = deal.violation(deal.turn, actions.get(at));
      if (!reason.isEmpty()) {
        Map<String, Object> refused = deal.refused(reason);
        refused.put("at", (long) at);
        return refused;
      }
      deal.apply(actions.get(at));
    }
    return deal.result();
  }

  /** Deal after deal, until a side reaches the target. */
  private static Map<String, Object> game(Request request) {
    List<Request> deals = request.deals();
    List<Object> scores = new ArrayList<>();
    Sides score = request.score();
    Seat dealer = deals.get(0).dealer();
    boolean over = false;
    for (Request played : deals) {
      Deal deal = played.position(request.rules(), score);
      if (over || deal.dealer != dealer || !deal.isPlayed()) {
        throw new PositionException(
            "a deal by the wrong dealer, unfinished, or after the end of the game");
      }
      score = deal.score();
      dealer = deal.nextDealer();
      over = deal.isGameOver();
      scores.add(score.fields());
    }
    if (!over) {
      return Map.of("scores", scores, "dealer", dealer.word());
    }
    return Map.of("scores", scores, "winner", score.ns() > score.ew() ? "ns" : "ew");
  }

  /** A place at the table, in the order of play. */
  enum Seat {
    NORTH,
    EAST,
    SOUTH,
    WEST;

    static Seat of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    Seat left(int steps) {
      return values()[(ordinal() + steps) % values().length];
    }

    boolean isNorthSouth() {
      return this == NORTH || this == SOUTH;
    }

    boolean isPartnerOf(Seat other) {
      return isNorthSouth() == other.isNorthSouth();
    }
  }

  /** A count for each side. */
  record Sides(long ns, long ew) {
    Map<String, Object> fields() {
      return Map.of("ns", ns, "ew", ew);
    }

    Sides plus(Sides more) {
      return new Sides(ns + more.ns, ew + more.ew);
    }
  }

  /** A card on the table. */
  record Laid(Seat seat, String card) {
    Map<String, Object> fields() {
      return Map.of("seat", seat.word(), "card", card);
    }
  }

  /** The request asks about a deal that cannot be. */
  static final class PositionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PositionException(String message) {
      super(message);
    }
  }

  /** A request, or one deal of it, as far as this adapter reads it. */
  record Request(Map<String, Object> fields) {
    boolean has(String key) {
      return fields.get(key) != null;
    }

    String text(String key) {
      return (String) fields.get(key);
    }

    private static List<String> texts(Object list) {
      return ((List<?>) list).stream().map(String.class::cast).toList();
    }

    private Map<String, Object> deal() {
      return Json.object(fields.get("deal"));
    }

    Seat dealer() {
      return Seat.of((String) deal().get("dealer"));
    }

    Map<String, String> rules() {
      Map<String, String> rules = new HashMap<>();
      Json.object(fields.get("rules")).forEach((knob, value) -> rules.put(knob, (String) value));
      return rules;
    }

    Sides score() {
      if (!has("score")) {
        return new Sides(0, 0);
      }
      Map<String, Object> score = Json.object(fields.get("score"));
      return new Sides((Long) score.get("ns"), (Long) score.get("ew"));
    }

    List<String> tricks() {
      List<String> actions = new ArrayList<>();
      if (has("tricks")) {
        ((List<?>) fields.get("tricks")).forEach(trick -> actions.addAll(texts(trick)));
      }
      return actions;
    }

    List<Request> deals() {
      return ((List<?>) fields.get("deals"))
          .stream().map(deal -> new Request(Json.object(deal))).toList();
    }

    /** The deal after its actions. */
    Deal position(Map<String, String> rules, Sides score) {
      Map<Seat, List<String>> hands = new HashMap<>();
      Json.object(deal().get("hands"))
          .forEach((word, cards) -> hands.put(Seat.of(word), new ArrayList<>(texts(cards))));
      Deal deal = new Deal(rules, dealer(), hands, (String) deal().get("upcard"), score);
      for (String action : has("actions") ? texts(fields.get("actions")) : List.<String>of()) {
        String reason = deal.violation(deal.turn, action);
        if (!reason.isEmpty()) {
          throw new PositionException("'" + action + "': " + reason);
        }
        deal.apply(action);
      }
      return deal;
    }
  }

  /** One deal, from the first call to the last trick, and the score before it. */
  static final class Deal {
    private static final String RANKS = "9TJQKA";
    private static final Map<String, String> TWIN = Map.of("C", "S", "S", "C", "D", "H", "H", "D");
    private static final Pattern CARD = Pattern.compile("[9TJQKA][CDHS]");
    private static final Pattern FORM =
        Pattern.compile(
            "pass|alone|decline|order( alone)?|name [CDHS]( alone)?"
                + "|(discard|play) [9TJQKA][CDHS]");
    private static final List<String> WORDS =
        List.of(
            "pass", "order", "name", "discard", "alone", "decline", "play", "redeal", "swap",
            "give");
    private static final Map<String, List<String>> PHASES =
        Map.of(
            "round_one", List.of("pass", "order"),
            "round_two", List.of("pass", "name"),
            "discard", List.of("discard"),
            "alone", List.of("alone", "decline"),
            "play", List.of("play"));
    private static final int TRICKS = 5;

    private final Map<String, String> rules;
    private final Seat dealer;
    private final Map<Seat, List<String>> hands;
    private final String upcard;
    private final Sides before;
    private final List<Seat> alone = new ArrayList<>();
    private final List<Seat> declined = new ArrayList<>();
    private final List<Seat> sitting = new ArrayList<>();
    private final List<Seat> winners = new ArrayList<>();
    private List<Laid> trick = new ArrayList<>();
    private String phase = "round_one";
    private Seat turn;
    private String trump = "";
    private Seat maker;
    private int passes;

    Deal(
        Map<String, String> rules,
        Seat dealer,
        Map<Seat, List<String>> hands,
        String upcard,
        Sides before) {
      this.rules = rules;
      this.dealer = dealer;
      this.hands = hands;
      this.upcard = upcard;
      this.before = before;
      this.turn = dealer.left(1);
      List<String> dealt = new ArrayList<>(List.of(upcard));
      for (Seat seat : Seat.values()) {
        List<String> hand = hands.getOrDefault(seat, List.of());
        if (hand.size() != TRICKS) {
          throw new PositionException("each seat must hold five cards");
        }
        dealt.addAll(hand);
      }
      boolean known = dealt.stream().allMatch(card -> CARD.matcher(card).matches());
      if (!known || new HashSet<>(dealt).size() < dealt.size()) {
        throw new PositionException("a card stands twice, or is not of the pack");
      }
    }

    private boolean isRule(String knob, String value) {
      return value.equals(rules.get(knob));
    }

    /** The suit that a card counts as: the left bower is a trump. */
    private static String suitOf(String card, String trump) {
      return card.equals("J" + TWIN.get(trump)) ? trump : card.substring(1);
    }

    /** How high a card stands; what neither follows nor is trump cannot win. */
    private int strength(String card, String led) {
      int rank = RANKS.indexOf(card.charAt(0));
      if (card.equals("J" + trump)) {
        return 30;
      }
      if (card.equals("J" + TWIN.get(trump))) {
        return 20;
      }
      if (card.endsWith(trump)) {
        return 10 + rank;
      }
      return card.endsWith(led) ? rank : -1;
    }

    private boolean isLone(boolean northSouth) {
      return alone.stream().anyMatch(seat -> seat.isNorthSouth() == northSouth);
    }

    private void goAlone(Seat seat) {
      alone.add(seat);
      sitting.add(seat.left(2));
    }

    private List<String> legal() {
      return thinkable().filter(action -> violation(turn, action).isEmpty()).toList();
    }

    private Stream<String> thinkable() {
      return switch (phase) {
        case "round_one" -> Stream.of("pass", "order", "order alone");
        case "round_two" ->
            Stream.concat(
                Stream.of("pass"),
                Stream.of("C", "D", "H", "S")
                    .flatMap(suit -> Stream.of("name " + suit, "name " + suit + " alone")));
        case "alone" -> Stream.of("alone", "decline");
        default -> hands.get(turn).stream().map(card -> phase + " " + card);
      };
    }

    /** Why an action is refused, or nothing: the one place that says no. */
    String violation(Seat seat, String action) {
      String word = action.split(" ", 2)[0];
      if (isGameOver()) {
        return "GAME_OVER";
      }
      if (isPlayed()) {
        return "HAND_OVER";
      }
      if (seat != turn) {
        return sitting.contains(seat) ? "SITTING_OUT" : "NOT_YOUR_TURN";
      }
      if (!WORDS.contains(word)) {
        return "UNKNOWN_ACTION";
      }
      if (!PHASES.get(phase).contains(word)) {
        return word.equals("alone") ? misplaced(seat) : "WRONG_PHASE";
      }
      if (!FORM.matcher(action).matches()) {
        return "UNKNOWN_ACTION";
      }
      String rest = action.length() > word.length() ? action.substring(word.length() + 1) : "";
      return switch (word) {
        case "discard" -> discardViolation(rest);
        case "play" -> playViolation(rest);
        default -> callViolation(seat, word, rest);
      };
    }

    private String discardViolation(String card) {
      if (!hands.get(turn).contains(card)) {
        return "CARD_NOT_HELD";
      }
      boolean forbidden = isRule("bury_upcard", "forbidden") && card.equals(upcard);
      return forbidden ? "DISCARD_UPCARD_FORBIDDEN" : "";
    }

    private String playViolation(String card) {
      List<String> hand = hands.get(turn);
      if (!hand.contains(card)) {
        return "CARD_NOT_HELD";
      }
      if (trick.isEmpty()) {
        return "";
      }
      String led = suitOf(trick.get(0).card(), trump);
      boolean able = hand.stream().anyMatch(held -> suitOf(held, trump).equals(led));
      return able && !suitOf(card, trump).equals(led) ? "MUST_FOLLOW_SUIT" : "";
    }

    /** Why trump may not be called so, or a pass not made. */
    private String callViolation(Seat seat, String word, String rest) {
      String turned = upcard.substring(1);
      if (word.equals("name") && rest.startsWith(turned)) {
        return "SUIT_TURNED_DOWN";
      }
      boolean last = phase.equals("round_two") && seat == dealer;
      if (word.equals("pass") && last && isRule("all_pass", "stick")) {
        return "DEALER_STUCK";
      }
      if (word.equals("order") && seat != dealer) {
        boolean trumps =
            hands.get(seat).stream().anyMatch(card -> suitOf(card, turned).equals(turned));
        if (isRule("order_needs_trump", "left_counts") && !trumps) {
          return "NEEDS_TRUMP";
        }
        boolean partner = seat == dealer.left(2);
        if (isRule("partner_order", "must_be_alone") && partner && rest.isEmpty()) {
          return "PARTNER_MUST_GO_ALONE";
        }
      }
      boolean tooSoon = isRule("alone_when", "before_lead") && rest.endsWith("alone");
      return tooSoon ? "ALONE_NOT_ALLOWED" : "";
    }

    /** Why going alone is refused outside its phase. */
    private String misplaced(Seat seat) {
      if (maker == null) {
        return "WRONG_PHASE";
      }
      if (seat.isPartnerOf(maker)) {
        boolean makerOnly = isRule("alone_who", "maker") && seat != maker;
        return makerOnly ? "ALONE_NOT_ALLOWED" : "ALONE_TOO_LATE";
      }
      if (isRule("defend_alone", "never")) {
        return "DEFEND_ALONE_OFF";
      }
      return isLone(maker.isNorthSouth()) ? "ALONE_TOO_LATE" : "DEFEND_ALONE_NO_LONER";
    }

    /** Take a legal action of the seat on turn. */
    void apply(String action) {
      String[] words = action.split(" ");
      switch (words[0]) {
        case "pass" -> pass();
        case "order", "name" -> call(words);
        case "play" -> play(turn, words[1]);
        case "discard" -> {
          hands.get(turn).remove(words[1]);
          askAlone();
        }
        case "alone" -> {
          goAlone(turn);
          askAlone();
        }
        default -> {
          declined.add(turn);
          askAlone();
        }
      }
    }

    private void pass() {
      passes++;
      turn = turn.left(1);
      if (passes == Seat.values().length) {
        phase = "round_two";
      } else if (passes == 2 * Seat.values().length) {
        phase = "over";
      }
    }

    private void call(String... words) {
      boolean orders = words[0].equals("order");
      maker = turn;
      trump = orders ? upcard.substring(1) : words[1];
      if (words[words.length - 1].equals("alone")) {
        goAlone(turn);
      }
      if (orders) {
        hands.get(dealer).add(upcard);
        phase = "discard";
        turn = dealer;
      } else {
        askAlone();
      }
    }

    /** Ask the next seat whether it goes alone; with nobody left to ask, play begins. */
    private void askAlone() {
      boolean makers = maker.isNorthSouth();
      List<Seat> asked = new ArrayList<>();
      if (isRule("alone_when", "before_lead") && !isLone(makers)) {
        asked.add(maker);
        if (isRule("alone_who", "making_side")) {
          asked.add(maker.left(2));
        }
      } else if (isRule("defend_alone", "vs_loner") && isLone(makers) && !isLone(!makers)) {
        for (int step = 1; step <= Seat.values().length; step++) {
          Seat seat = dealer.left(step);
          if (!seat.isPartnerOf(maker)) {
            asked.add(seat);
          }
        }
      }
      asked.removeAll(declined);
      phase = asked.isEmpty() ? "play" : "alone";
      turn = asked.isEmpty() ? playing(dealer.left(1)) : asked.get(0);
    }

    /** The seat itself, or the next one round that does not sit out. */
    private Seat playing(Seat seat) {
      Seat next = seat;
      while (sitting.contains(next)) {
        next = next.left(1);
      }
      return next;
    }

    /** Play a card; the last of a trick decides it, the last of the deal ends it. */
    private void play(Seat seat, String card) {
      hands.get(seat).remove(card);
      trick.add(new Laid(seat, card));
      turn = playing(seat.left(1));
      if (trick.size() == Seat.values().length - alone.size()) {
        String led = suitOf(trick.get(0).card(), trump);
        Laid best = trick.get(0);
        for (Laid laid : trick) {
          best = strength(laid.card(), led) > strength(best.card(), led) ? laid : best;
        }
        turn = best.seat();
        winners.add(best.seat());
        trick = new ArrayList<>();
      }
      if (winners.size() == TRICKS) {
        phase = "over";
      }
    }

    private Sides tricks() {
      long ns = winners.stream().filter(Seat::isNorthSouth).count();
      return new Sides(ns, winners.size() - ns);
    }

    /** What the deal pays; where several prices apply, the largest counts. */
    private Sides points() {
      if (maker == null || !isPlayed()) {
        return new Sides(0, 0);
      }
      boolean makers = maker.isNorthSouth();
      long took = makers ? tricks().ns() : tricks().ew();
      boolean made = took >= 3;
      Map<String, Boolean> prices =
          Map.of(
              "points_made", made && took < TRICKS,
              "points_march", took == TRICKS,
              "points_lone_march", took == TRICKS && isLone(makers),
              "points_euchre", !made,
              "points_euchre_all_five", took == 0,
              "points_lone_euchred", !made && isLone(makers),
              "points_lone_defender", !made && isLone(!makers));
      long due =
          prices.keySet().stream()
              .filter(prices::get)
              .map(name -> rules.getOrDefault(name, ""))
              .filter(price -> price.matches("\\d+"))
              .mapToLong(Long::parseLong)
              .max()
              .orElse(0);
      return makers == made ? new Sides(due, 0) : new Sides(0, due);
    }

    Sides score() {
      return before.plus(points());
    }

    boolean isPlayed() {
      return phase.equals("over");
    }

    boolean isGameOver() {
      String target = rules.getOrDefault("target", "");
      Sides score = score();
      return target.matches("\\d+") && Math.max(score.ns(), score.ew()) >= Long.parseLong(target);
    }

    Seat nextDealer() {
      return maker == null && isRule("throw_in_dealer", "same") ? dealer : dealer.left(1);
    }

    /** Who is on turn, in which phase, and what is legal. */
    Map<String, Object> standing() {
      Map<String, Object> standing = new LinkedHashMap<>();
      if (isPlayed() || isGameOver()) {
        standing.putAll(Map.of("phase", "over", "legal", List.of(), "closed", true));
      } else {
        standing.putAll(Map.of("turn", turn.word(), "phase", phase, "legal", legal()));
      }
      return standing;
    }

    private static List<String> words(List<Seat> seats) {
      return seats.stream().map(Seat::word).toList();
    }

    /** What one seat may see; what has no meaning yet is absent. */
    Map<String, Object> view(Seat seat) {
      Map<String, Object> seen = standing();
      if (seat != turn) {
        seen.put("legal", List.of());
      }
      Map<String, Object> counts = new LinkedHashMap<>();
      hands.forEach((who, hand) -> counts.put(who.word(), (long) hand.size()));
      seen.put("seat", seat.word());
      seen.put("dealer", dealer.word());
      seen.put("hand", hands.get(seat));
      seen.put("counts", counts);
      seen.put("score", score().fields());
      seen.put("upcard", upcard);
      String taken = maker == null ? "turned" : "taken";
      seen.put("upcard_state", passes >= Seat.values().length ? "turned_down" : taken);
      if (maker != null) {
        seen.put("trump", trump);
        seen.put("maker", maker.word());
        seen.put("alone", words(alone));
        seen.put("out", words(sitting));
        if (phase.equals("play") || isPlayed()) {
          seen.put("trick", trick.stream().map(Laid::fields).toList());
          seen.put("tricks", tricks().fields());
        }
      }
      if (!trick.isEmpty()) {
        seen.put("led", trick.get(0).card());
      }
      return seen;
    }

    /** How the deal ended. */
    Map<String, Object> result() {
      if (!isPlayed()) {
        throw new PositionException("the deal is not over");
      }
      Map<String, Object> ended = new LinkedHashMap<>();
      ended.put("outcome", maker == null ? "thrown_in" : "played");
      ended.put("winners", words(winners));
      ended.put("tricks", tricks().fields());
      ended.put("points", points().fields());
      ended.put("score", score().fields());
      if (!isGameOver()) {
        ended.put("next_dealer", nextDealer().word());
      }
      return ended;
    }

    Map<String, Object> refused(String reason) {
      Map<String, Object> refused = standing();
      refused.put("refused", reason);
      return refused;
    }
  }

  /** As much of JSON as the protocol needs; take a library where you have one. */
  static final class Json {
    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    static Object parse(String text) {
      return new Json(text).value();
    }

    /** A value that is an object. */
    static Map<String, Object> object(Object value) {
      Map<String, Object> fields = new LinkedHashMap<>();
      ((Map<?, ?>) value).forEach((key, inner) -> fields.put((String) key, inner));
      return fields;
    }

    private char next() {
      while (Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      return text.charAt(at);
    }

    private boolean skip(char wanted) {
      boolean there = next() == wanted;
      at += there ? 1 : 0;
      return there;
    }

    private Object value() {
      switch (next()) {
        case '{':
          return fields();
        case '[':
          return items();
        case '"':
          return string();
        default:
          int start = at;
          while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) {
            at++;
          }
          return word(text.substring(start, at));
      }
    }

    private static Object word(String word) {
      return switch (word) {
        case "true" -> true;
        case "false" -> false;
        case "null" -> null;
        default -> Long.valueOf(word);
      };
    }

    private Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      at++;
      while (!skip('}')) {
        next();
        String key = string();
        skip(':');
        fields.put(key, value());
        skip(',');
      }
      return fields;
    }

    private List<Object> items() {
      List<Object> items = new ArrayList<>();
      at++;
      while (!skip(']')) {
        items.add(value());
        skip(',');
      }
      return items;
    }

    private String string() {
      StringBuilder out = new StringBuilder();
      at++;
      while (text.charAt(at) != '"') {
        char letter = text.charAt(at++);
        out.append(letter == '\\' ? escaped() : letter);
      }
      at++;
      return out.toString();
    }

    private char escaped() {
      char letter = text.charAt(at++);
      if (letter == 'u') {
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      int place = "bfnrt".indexOf(letter);
      return place < 0 ? letter : "\b\f\n\r\t".charAt(place);
    }

    static String write(Object value) {
      if (value instanceof Map<?, ?> fields) {
        List<String> parts = new ArrayList<>();
        fields.forEach((key, inner) -> parts.add(write(key) + ":" + write(inner)));
        return "{" + String.join(",", parts) + "}";
      }
      if (value instanceof List<?> items) {
        return "[" + String.join(",", items.stream().map(Json::write).toList()) + "]";
      }
      return value instanceof String words ? quoted(words) : String.valueOf(value);
    }

    private static String quoted(String words) {
      StringBuilder out = new StringBuilder("\"");
      for (char letter : words.toCharArray()) {
        boolean plain = letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
        out.append(plain ? String.valueOf(letter) : String.format("\\u%04x", (int) letter));
      }
      return out.append('"').toString();
    }
  }
}
