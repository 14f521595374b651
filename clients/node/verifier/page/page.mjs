const { verify, parseKey, readReceipts, dealsVerified, dealtPositions, SEATS } = globalThis.euchreVerifier;

const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const SUIT_WORDS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades", N: "no trump" };
const RANK_WORDS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
const PIECE = 1 << 15;
const STRICT = 7;

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

/** An element with its class and what stands in it. */
function make(tag, className, ...inside) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...inside);
  return element;
}

// What an event is for, and whom a fault speaks against, in plain words

const EVENTS = {
  match_open: "the line that opens the match: its rules, seats and keys",
  deal_open: "the line that opens a deal",
  seat_commit: "a seat's commitment to its seed, given before anybody shows a seed",
  commit_set: "the referee's signed list of all four commitments",
  reveal_set: "the seeds that the seats showed, which must be those they committed to",
  deck_root: "the seal of the deck: a fingerprint of each card, published before any is seen",
  dealer_draw: "the cards that were turned to draw the first dealer",
  turn_up: "the card turned up after the deal",
  action: "a call, a discard or a card played",
  deal_close: "the close of the deal, where the referee shows its secret and the whole deck",
  match_close: "the line that closes the match with its result",
};
const PARTIES = {
  referee: "The referee signed this, or what follows it. The file is evidence against the referee.",
  file: "The file is not as the referee wrote it. Somebody has changed it, or it was damaged: ask for another copy.",
  key: "The key is not the one that should have signed. Ask the referee for its key.",
  nobody: "This speaks against nobody. Get the whole file.",
};
const HEADLINES = {
  3: "Not verified: the seal is broken",
  4: "Not verified: a signature or the key is wrong",
  5: "Not verified: the end is missing",
  6: "Not verified: this cannot be read",
  7: "Signatures not checked",
};

// What was seen of the match while it was checked

/** The events of a match, gathered deal by deal. */
class Seen {
  constructor() {
    this.open = null;
    this.deals = [];
    this.kinds = [];
  }

  take(event, stands) {
    this.kinds[event.seq] = event.kind;
    if (event.kind === "match_open") this.open ??= event;
    if (event.kind === "deal_open") {
      this.deals.push({ number: event.deal, dealer: event.dealer, from: event.seq, actions: [], steps: {} });
    }
    const deal = this.deals.at(-1);
    if (deal === undefined) return;
    if (event.kind !== "match_close") deal.to = event.seq;
    if (stands) deal.steps[event.kind] = true;
    if (event.kind === "action") deal.actions.push(event);
    if (event.kind === "deal_close") deal.close = event;
    if (event.kind === "turn_up") deal.upcard = event.card;
    if (event.kind === "dealer_draw") deal.draw = event;
    if (event.kind === "reveal_set") deal.cut = event.cut;
  }
}

// Drawing

function cardWords(card) {
  if (card === "BB") return "joker";
  return `${RANK_WORDS[card[0]] ?? card[0]} of ${SUIT_WORDS[card[1]] ?? card[1]}`;
}

function drawCard(card, away = false) {
  const [rank, suit] = card === "BB" ? ["Joker", ""] : [card[0] === "T" ? "10" : card[0], SUITS[card[1]]];
  const drawn = make("span", "card", `${rank}${suit ?? card[1]}`);
  if (card[1] === "D" || card[1] === "H") drawn.classList.add("red");
  if (away) drawn.classList.add("away");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", `${cardWords(card)}${away ? ", laid away" : ""}`);
  return drawn;
}

function place(name, title, note, cards, away = new Set()) {
  const heading = make("h4", "", title, ...(note ? [" ", make("span", "", note)] : []));
  const drawn = cards.map((card) => drawCard(card, away.has(card)));
  return make("div", `place ${name}`, heading, make("div", "cards", ...drawn));
}

const ORDER = "CDSH";
const RANKS = "2789TJQKA";
const bySuit = (a, b) => ORDER.indexOf(a[1]) - ORDER.indexOf(b[1])
  || RANKS.indexOf(b[0]) - RANKS.indexOf(a[0]);

function drawHands(deal, open) {
  const deck = deal.close.deck.split(" ");
  const dealer = SEATS.indexOf(deal.dealer);
  const away = new Set(deal.close.openings.flatMap(({ positions }) => positions.map((p) => deck[p])));
  const table = make("div", "table");
  SEATS.forEach((seat, i) => {
    const hand = (dealtPositions(open.rules.packets, dealer, i) ?? []).map((p) => deck[p]);
    const roles = [i === dealer ? "deals" : "", deal.close.maker === seat ? "made trump" : "",
      deal.close.alone.includes(seat) ? "alone" : ""].filter(Boolean).join(", ");
    table.append(place(seat, `${seat} · ${open.seats[i].name}`, roles, hand.sort(bySuit), away));
  });
  const middle = make("div", "middle");
  middle.append(
    place("", "Upcard", "", [deck[20]], away),
    place("", "Kitty", "", deck.slice(21), away),
  );
  table.append(middle);
  return table;
}

/** The cards that a hidden move turns out to have moved, once the deal is closed. */
function movedWords(deal, seq) {
  const opening = deal.close?.openings.find((one) => one.seq === seq);
  const deck = deal.close?.deck?.split(" ");
  if (!opening || !deck) return "a card that was not shown";
  return opening.positions.map((p) => `the ${cardWords(deck[p])}`).join(", ");
}

function actionWords(deal, { seat, action, seq }) {
  const [verb, what, more] = action.split(" ");
  const alone = what === "alone" || more === "alone" ? " alone" : "";
  switch (verb) {
    case "pass": return `${seat} passes`;
    case "order": return `${seat} orders up${alone}`;
    case "name": return `${seat} names ${SUIT_WORDS[what] ?? what}${alone}`;
    case "discard": case "give": case "swap": return `${seat} ${verb}s ${movedWords(deal, seq)}`;
    case "alone": return `${seat} goes alone`;
    default: return `${seat}: ${action}`;
  }
}

/** The plays in tricks: each begins where as many cards lie as seats play. */
function tricksOf(deal) {
  const plays = deal.actions.filter(({ action }) => action.startsWith("play "));
  const alone = deal.actions.filter(({ action }) => /(^| )alone$/.test(action));
  const size = 4 - new Set(deal.close?.alone ?? alone.map(({ seat }) => seat)).size;
  const tricks = [];
  for (let i = 0; i < plays.length; i += size) tricks.push(plays.slice(i, i + size));
  return tricks;
}

function drawTricks(tricks) {
  const head = make("tr", "", make("th", "", "trick"), ...SEATS.map((seat) => make("th", "", seat)));
  const body = make("tbody", "");
  tricks.forEach((trick, number) => {
    const winner = tricks[number + 1]?.[0].seat;
    const row = make("tr", "", make("th", "", String(number + 1)));
    for (const seat of SEATS) {
      const play = trick.find((one) => one.seat === seat);
      const cell = make("td", "");
      if (play) cell.append(drawCard(play.action.slice("play ".length)));
      if (play && play === trick[0]) { cell.classList.add("led"); cell.title = "led"; }
      if (play && seat === winner) { cell.classList.add("won"); cell.title = `${cell.title} took it`.trim(); }
      row.append(cell);
    }
    body.append(row);
  });
  return make("div", "scroll", make("table", "", make("thead", "", head), body));
}

const CHECKS = [
  ["commit_set", "the four commitments are the seats' own, and the referee's chain goes on"],
  ["reveal_set", "every seed shown is the one that was committed to"],
  ["deck_root", "the deck was sealed before a card was seen"],
  ["deal_close", "the deck is the one that the secret and the seeds give, and every card shown lay where it was sealed"],
];

function drawChecks(deal, report, kinds) {
  const wrong = faultIn(deal, report) ? kinds[report.event] : null;
  const list = make("ul", "checks");
  const item = (mark, word, text, className) => {
    const sign = make("b", className, mark);
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", word);
    list.append(make("li", "", sign, text));
  };
  for (const [kind, text] of CHECKS) {
    if (kind === wrong) item("✗", "fails", `not so: ${text}`, "bad-mark");
    else if (deal.steps[kind]) item("✓", "holds", text, "good-mark");
    else item("–", "not checked", `not checked: ${text}`, "small");
  }
  if (faultIn(deal, report)) item("✗", "fails", `event ${report.event}: ${report.message}`, "bad-mark");
  return list;
}

/** Whether the first fault of the file lies in a deal. */
function faultIn(deal, { exit, event }) {
  return exit !== 0 && event !== null && event >= deal.from && event <= deal.to;
}

const paragraph = (...inside) => make("p", "", ...inside);

function drawDeal(deal, { open, kinds }, report) {
  const title = deal.number === 0 ? "The draw for the first dealer" : `Deal ${deal.number}`;
  const parts = [make("h2", "", title), drawChecks(deal, report, kinds)];
  if (deal.draw) {
    parts.push(
      paragraph(`The draw starts with ${deal.draw.start}; ${deal.draw.dealer} deals.`),
      make("div", "cards", ...deal.draw.turned.map(({ card }) => drawCard(card))),
    );
  } else if (deal.close?.deck !== undefined && deal.dealer !== undefined) {
    if (!deal.steps.deal_close || faultIn(deal, report)) {
      parts.push(paragraph(make("strong", "", "The cards below are what the file says; they are not verified.")));
    }
    parts.push(drawHands(deal, open));
    if (deal.cut !== undefined) parts.push(paragraph(`Cut at ${deal.cut}.`));
  } else if (deal.upcard) {
    parts.push(
      paragraph("The close of this deal was not reached, so the hands are not known. The upcard:"),
      make("div", "cards", drawCard(deal.upcard)),
    );
  } else {
    parts.push(paragraph("No card was dealt, or none was reached."));
  }
  return [...parts, ...drawPlay(deal), ...drawResult(deal)];
}

function drawPlay(deal) {
  const calls = deal.actions.filter(({ action }) => !action.startsWith("play "));
  const parts = [];
  if (calls.length > 0) {
    parts.push(make("h3", "", "Calls"), paragraph(`${calls.map((one) => actionWords(deal, one)).join(" · ")}.`));
  }
  const tricks = tricksOf(deal);
  if (tricks.length > 0) {
    parts.push(make("h3", "", "Tricks"), drawTricks(tricks));
    parts.push(make("p", "small", "The card that was led is underlined; the card that took the trick is shaded, except in the last trick."));
  }
  return parts;
}

const OUTCOMES = {
  played: "Played", thrown_in: "Thrown in", redeal: "Dealt again", fault: "Ended by a fault",
  renege: "Ended by a renege", void: "Void", draw: "The dealer is drawn",
};

function drawResult({ number, close }) {
  if (close === undefined) return [];
  const sides = ({ ns, ew }) => `north and south ${ns}, east and west ${ew}`;
  const lines = [make("h3", "", "Result")];
  if (number === 0) lines.push(paragraph(`${OUTCOMES[close.outcome]}.`));
  else {
    lines.push(paragraph(
      `${OUTCOMES[close.outcome]}. Tricks: ${sides(close.tricks)}. Points: ${sides(close.points)}.`,
    ));
  }
  for (const { seat, why } of close.faults) {
    lines.push(paragraph(`${seat} at fault (${why}), on the referee’s word.`));
  }
  return lines;
}

// The verdict

function facts(report) {
  const list = make("dl", "");
  const fact = (term, ...told) => list.append(make("dt", "", term), make("dd", "", ...told));
  fact("Match", report.match);
  if (report.score) fact("Result", `${report.outcome}, ${report.score.ns}–${report.score.ew}`);
  fact("Deals", `${dealsVerified(report)}, with the whole deck; ${report.voided} voided after the commit set`);
  const { seat, host, declined } = report.seeds;
  fact("Seeds", `${seat} by the seats, ${host} by the host, ${declined} declined`);
  fact("Rated", report.rated ? "yes" : "no: its results prove nothing");
  fact("Signatures", report.signatures);
  fact("Rules", "not replayed");
  for (const { deal, seat: who, why, signed } of report.faults) {
    const word = signed ? "for attempts that it signed" : "on the referee’s word";
    fact(`Deal ${deal}`, `${who} at fault, ${why}, ${word}`);
  }
  if (report.receipts !== null) fact("Receipts", `${report.receipts} items agree with the file`);
  if (report.roster) fact("Roster", "lists every key");
  for (const what of report.not_covered) fact("Not covered", what);
  if (report.key?.pinned) fact("Key", "the one you gave");
  else if (report.key) fact("Key", "not compared with one you know; it is ", make("code", "", report.key.line));
  return list;
}

function drawVerdict(report, seen) {
  const box = at("verdict");
  const kind = report.exit === 0 ? "good" : report.exit === STRICT ? "unsure" : "bad";
  box.className = kind;
  const mark = { good: "✓", unsure: "?", bad: "✗" }[kind];
  const headline = report.exit === 0
    ? (report.kind === "deal-proof" ? "This deal is verified" : "This match is verified")
    : HEADLINES[report.exit];
  const parts = [make("h2", "", `${mark} ${headline}`)];
  if (kind === "good") {
    parts.push(paragraph("Every deck is the one that the secret and the seeds give, and nothing in the record was changed after it was signed."));
  } else if (kind === "unsure") {
    parts.push(paragraph("The cards agree with what was sealed, but this browser cannot check Ed25519 signatures here, so nobody vouches for the file. Use another browser, open the page from disk or over https, or use euchre-referee verify."));
  } else {
    parts.push(paragraph(make("strong", "", sentence(report.message))));
    if (report.event !== null) parts.push(paragraph(whereIs(report, seen)));
    if (report.party) parts.push(paragraph(PARTIES[report.party]));
  }
  if (report.match !== null && kind !== "bad") parts.push(facts(report));
  box.replaceChildren(...parts);
  box.hidden = false;
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

function whereIs({ event, deal }, seen) {
  const kind = seen.kinds[event];
  const within = deal === null ? "" : ` of deal ${deal}`;
  return `The first fault is at event ${event}${within}${kind ? `, ${EVENTS[kind]}` : ""}.`;
}

// The course of a check

let latest = { file: null, seen: new Seen(), report: null };
let run = 0;

const breathe = () => new Promise((resolve) => { setTimeout(resolve); });

/** The pieces of a file; between two of them the page may breathe. */
async function* piecesOf(file, progress) {
  for (let from = 0; from < file.size; from += PIECE) {
    yield new Uint8Array(await file.slice(from, from + PIECE).arrayBuffer());
    await progress("reading and checking the seal", Math.min(1, (from + PIECE) / file.size));
  }
}

function pinnedKey() {
  const text = at("key").value.trim();
  const key = text === "" ? null : parseKey(text);
  const wrong = text !== "" && key === null;
  at("key-said").textContent = wrong ? "This is not a public key (write name+id+base64); it was left out." : "";
  at("key").setAttribute("aria-invalid", String(wrong));
  return key;
}

const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

/** What the file is to be held against: the key, the receipts and the roster that were given. */
async function witnesses() {
  const kept = [...at("receipts").files];
  const [roster] = at("roster").files;
  const receipts = [];
  for (const file of kept) receipts.push(...readReceipts(await bytesOf(file), file.name));
  return {
    referee_key: pinnedKey(),
    receipts: kept.length > 0 ? receipts : null,
    roster: roster ? await bytesOf(roster) : null,
  };
}

async function check(file) {
  run += 1;
  const mine = run;
  const seen = new Seen();
  for (const id of ["verdict", "deals"]) at(id).hidden = true;
  at("chosen").textContent = file.name;
  at("busy").hidden = false;
  const progress = async (stage, part) => {
    if (mine !== run) throw new Error("another file was chosen");
    at("stage").textContent = stage;
    at("progress").value = part;
    await breathe();
  };
  latest = { file, seen, report: null };
  let report;
  try {
    const observe = (event, stands) => seen.take(event, stands);
    const pause = (part) => progress("checking the signatures", part);
    report = await verify(piecesOf(file, progress), { ...await witnesses(), observe, pause });
  } catch (error) {
    if (mine === run) failed(error);
    return;
  }
  if (mine !== run) return;
  latest = { file, seen, report };
  at("busy").hidden = true;
  drawVerdict(report, seen);
  offerDeals(seen, report);
  document.documentElement.dataset.exit = String(report.exit);
  at("verdict").focus();
}

function failed(error) {
  at("busy").hidden = true;
  const box = at("verdict");
  box.className = "bad";
  box.replaceChildren(make("h2", "", "✗ What was given could not be read"), paragraph(sentence(error.message)));
  box.hidden = false;
}

function offerDeals({ deals }, report) {
  at("deals").hidden = deals.length === 0;
  const options = deals.map((deal, i) => {
    const wrong = faultIn(deal, report);
    const option = make("option", "", `${deal.number === 0 ? "draw" : deal.number}${wrong ? " ✗" : deal.steps.deal_close ? " ✓" : ""}`);
    option.value = String(i);
    return option;
  });
  at("which").replaceChildren(...options);
  const first = deals.findIndex((deal) => faultIn(deal, report));
  const played = deals.findIndex(({ number }) => number > 0);
  if (deals.length > 0) show(first >= 0 ? first : Math.max(played, 0));
}

function show(index) {
  const { seen, report } = latest;
  const chosen = Math.min(Math.max(index, 0), seen.deals.length - 1);
  at("which").value = String(chosen);
  at("before").disabled = chosen === 0;
  at("after").disabled = chosen === seen.deals.length - 1;
  at("deal").replaceChildren(...drawDeal(seen.deals[chosen], seen, report));
}

at("file").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  target.value = ""; // so that choosing the same file again asks again
  if (file) check(file);
});
at("again").addEventListener("click", () => { if (latest.file) check(latest.file); else pinnedKey(); });
at("key").addEventListener("keydown", ({ key }) => { if (key === "Enter") at("again").click(); });
at("which").addEventListener("change", ({ target }) => show(Number(target.value)));
at("before").addEventListener("click", () => show(Number(at("which").value) - 1));
at("after").addEventListener("click", () => show(Number(at("which").value) + 1));
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (/** @type {any} */ event) => {
    event.preventDefault();
    at("drop").classList.toggle("over", name === "dragover");
    if (name === "drop" && event.dataTransfer.files[0]) check(event.dataTransfer.files[0]);
  });
}
