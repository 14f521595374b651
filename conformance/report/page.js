"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SEATS = ["north", "west", "east", "south"];
  const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  const PAGE = 100;
  const matrix = document.getElementById("matrix");
  const filter = document.getElementById("filter");
  const show = document.getElementById("show");
  const count = document.getElementById("count");
  const columns = `minmax(0, 1fr) repeat(${data.targets.length}, minmax(5.5rem, 10.5rem))`;
  matrix.style.setProperty("--columns", columns);

  // An element with its class, its attributes and its children; text is never read as HTML.
  function make(tag, kind, ...children) {
    const node = document.createElement(tag);
    if (kind) node.className = kind;
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  function word(text, tone, title) {
    const node = make("span", `word ${tone}`, text);
    if (title) node.title = title;
    return node;
  }

  const toneOf = (verdict) => data.tones[verdict] || "";
  const isBad = (result) => result[2] === 1;

  // What one target made of some results, in one word: the worst first.
  function sum(results) {
    if (!results.length) return ["–", "none"];
    const counts = new Map();
    let bad = 0;
    for (const result of results) {
      const verdict = data.verdicts[result[1]];
      counts.set(verdict, (counts.get(verdict) || 0) + 1);
      bad += result[2];
    }
    const said = [...counts].map(([verdict, number]) => `${number} ${verdict}`).join(", ");
    if (bad) return [`${bad} of ${results.length} failed`, "bad", said];
    if (counts.size === 1) {
      const [verdict, number] = [...counts][0];
      return [number === 1 ? verdict : `${number} ${verdict}`, toneOf(verdict), said];
    }
    const worst = [...counts.keys()].sort((a, b) => data.order.indexOf(b) - data.order.indexOf(a));
    const known = worst.find((verdict) => toneOf(verdict) === "mid");
    if (known) return [`${counts.get(known)} ${known}`, "mid", said];
    const good = counts.get("pass") || 0;
    return [`${good} pass of ${results.length}`, good ? "good" : "", said];
  }

  function cells(cases) {
    return data.targets.map((target, index) => {
      const [text, tone, title] = sum(cases.flatMap((one) => one.results[index]));
      const name = make("span", "hidden target", `${target.short} `);
      return make("span", "cell", name, word(text, tone, title));
    });
  }

  // A row that opens; what is inside is made when it is opened for the first time.
  function row(kind, name, cases, fill) {
    const node = make("details", kind);
    node.append(make("summary", "row", make("span", "name", ...name), ...cells(cases)));
    node.addEventListener("toggle", () => {
      if (node.open && !node.dataset.full) {
        node.dataset.full = "yes";
        const inside = make("div", "inside");
        fill(inside);
        node.append(inside);
      }
    });
    return node;
  }

  function card(text, more) {
    const joker = text === "BB";
    const suit = SUITS[text.slice(-1)];
    const shown = joker ? "Joker" : text.slice(0, -1).replace("T", "10") + suit;
    const red = !joker && (suit === "♦" || suit === "♥");
    return make("span", `playing-card${red ? " red" : ""}${more || ""}`, shown);
  }

  function drawn(table) {
    const felt = make("div", "felt");
    felt.setAttribute("role", "img");
    felt.setAttribute("aria-label", table.words);
    for (const seat of SEATS) {
      const at = table.seats[seat];
      const marks = [];
      if (at.dealer) marks.push("dealer");
      if (at.led) marks.push("led");
      if (at.out) marks.push("sits out");
      if (at.turn) marks.push("to act");
      const laid = at.card ? card(at.card) : make("span", "playing-card none", at.turn ? "?" : "·");
      const node = make("div", `seat ${seat}${at.turn ? " turn" : ""}`, make("b", "", seat), laid);
      node.append(make("span", "mark", marks.join(", ")));
      felt.append(node);
    }
    const up = table.up[0] ? card(table.up[0]) : null;
    felt.append(make("div", "middle", make("b", "", table.trump), make("br"), up, make("br"), table.up[1]));
    const box = make("div", "", felt, make("p", "quiet", table.facts.join("; ")));
    for (const [seat, cards] of Object.entries(table.hands)) {
      box.append(make("p", "hands", `${seat} holds `, ...cards.map((one) => card(one))));
    }
    return box;
  }

  function answers(fault) {
    const table = make("table", "answers");
    const head = make("tr", "", make("th", "", "field"), make("th", "", "wanted"), make("th", "", "got"));
    for (const cell of head.children) cell.scope = "col";
    const body = make("tbody");
    for (const [field, wanted, got, off] of fault.fields) {
      const line = make("tr", off ? "off" : "", make("td", "", make("code", "", field)));
      line.append(make("td", "", wanted), make("td", "", got));
      body.append(line);
    }
    table.append(make("thead", "", head), body);
    return table;
  }

  function copied(command) {
    const text = make("pre", "", command);
    const button = make("button", "", "Copy");
    button.type = "button";
    button.setAttribute("aria-label", `Copy: ${command}`);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(command);
        button.textContent = "Copied";
      } catch {
        const range = document.createRange();
        range.selectNodeContents(text);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        button.textContent = "Selected";
      }
    });
    return make("div", "rerun", text, button);
  }

  function unfolded(title, text) {
    return make("details", "", make("summary", "", title), make("pre", "", text));
  }

  function failure(one, target, verdict, rulesets, fault, more) {
    const box = make("div", "card-of-failure");
    box.append(make("h4", "", word(verdict, toneOf(verdict) || "bad"), ` under ${rulesets.join(", ")}`));
    if (fault === null) {
      box.append(make("p", "", `The target does not offer this question (${one.op}).`));
    } else {
      const label = fault.label ? `${fault.label}: ` : "";
      const told = make("div", "", make("p", "", `Asked: ${label}${fault.asked}`));
      if (fault.said) told.append(make("p", "", fault.said));
      told.append(answers(fault));
      told.append(make("ul", "problems", ...fault.problems.map((text) => make("li", "", text))));
      const columns = make("div", fault.table === null ? "columns single" : "columns");
      if (fault.table !== null) columns.append(drawn(data.tables[fault.table]));
      columns.append(told);
      box.append(columns);
      if (more > 0) box.append(make("p", "quiet", `${more} more answers of this check were wrong.`));
      if (fault.stderr) box.append(unfolded("Standard error", fault.stderr));
      box.append(unfolded("Request, without the rule set", data.requests[fault.request]));
    }
    box.append(make("p", "quiet", "Ask it again:"));
    box.append(copied(target.rerun.replace("CHECK-ID", `${one.id}@${rulesets[0]}`)));
    return box;
  }

  function caseInside(one, inside) {
    if (one.why) inside.append(make("p", "", one.why));
    const about = `${one.level} · ${one.op} · ${one.importance}`;
    inside.append(make("p", "quiet", about));
    const rules = one.rules.map((name) => ruleItem(name));
    inside.append(make("ul", "rules", ...rules));
    data.targets.forEach((target, index) => {
      const results = one.results[index];
      if (!results.length) return;
      inside.append(make("h3", "", target.shown));
      const list = results.map(([ruleset, verdict]) => {
        const name = data.verdicts[verdict];
        return make("li", "", word(`${data.rulesets[ruleset]}: ${name}`, toneOf(name)));
      });
      inside.append(make("ul", "verdicts", ...list));
      const groups = new Map();
      for (const result of results) {
        if (!isBad(result) && result[3] === -1) continue;
        const key = `${result[1]} ${result[3]}`;
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(result);
      }
      for (const group of groups.values()) {
        const [, verdict, , faults, note] = group[0];
        const told = faults === -1 ? [] : data.faults[faults];
        const names = group.map((result) => data.rulesets[result[0]]);
        if (note) inside.append(make("p", "note", note));
        const first = told.length ? told[0] : null;
        inside.append(failure(one, target, data.verdicts[verdict], names, first, told.length - 1));
      }
    });
  }

  function ruleItem(name) {
    const rule = data.rules[name];
    if (!rule) return make("li", "", make("code", "", name));
    const item = make("li", "", make("code", "", name), ` ${rule.text}`);
    const quoted = rule.sources.length ? "Sources" : "No source";
    item.append(make("details", "sources", make("summary", "", quoted), sources(rule)));
    return item;
  }

  function sources(rule) {
    if (!rule.sources.length) return make("blockquote", "", "A ruling of this suite.");
    const lines = rule.sources.flatMap((text, index) => (index ? [make("br"), text] : [text]));
    return make("blockquote", "", ...lines);
  }

  function caseRow(one) {
    const name = [make("code", "", one.id), one.title];
    return row("case", name, [one], (inside) => caseInside(one, inside));
  }

  function ruleRow(name, cases) {
    const rule = data.rules[name];
    return row("rule", [make("code", "", name), `${cases.length} cases`], cases, (inside) => {
      if (rule) inside.append(make("p", "", `${rule.text} (${rule.level})`), sources(rule));
      more(inside, cases, 0);
    });
  }

  // A page of rows, and a button for the next one.
  function more(into, cases, from) {
    into.append(...cases.slice(from, from + PAGE).map(caseRow));
    const left = cases.length - from - PAGE;
    if (left <= 0) return;
    const button = make("button", "", `Show ${Math.min(PAGE, left)} more of ${left}`);
    button.type = "button";
    button.addEventListener("click", () => {
      button.remove();
      more(into, cases, from + PAGE);
      into.children[into.children.length - 1].scrollIntoView({ block: "nearest" });
    });
    into.append(button);
  }

  function heads() {
    const names = data.targets.map((target) => {
      const node = make("span", "", target.short);
      node.title = target.shown;
      return node;
    });
    const node = make("div", "heads", make("span", "", "rule and case"), ...names);
    node.setAttribute("aria-hidden", "true");
    return node;
  }

  function byRule(cases) {
    const chapters = new Map();
    for (const one of cases) {
      for (const name of one.rules.length ? one.rules : ["(no rule)"]) {
        const chapter = data.rules[name] ? data.rules[name].chapter : one.chapter;
        if (!chapters.has(chapter)) chapters.set(chapter, new Map());
        const rules = chapters.get(chapter);
        if (!rules.has(name)) rules.set(name, []);
        rules.get(name).push(one);
      }
    }
    const known = [...Object.keys(data.chapters), ...chapters.keys()];
    const nodes = [];
    for (const chapter of new Set(known)) {
      const rules = chapters.get(chapter);
      if (!rules) continue;
      const all = [...new Set([...rules.values()].flat())];
      const name = data.chapters[chapter] || chapter;
      nodes.push(row("chapter", [name], all, (inside) => {
        for (const [rule, own] of rules) inside.append(ruleRow(rule, own));
      }));
    }
    return nodes;
  }

  const SHOWN = {
    all: () => true,
    bad: isBad,
    known: (result) => ["known-fail", "fixed"].includes(data.verdicts[result[1]]),
    skipped: (result) => ["unsupported", "not-applicable", "not-scored"].includes(data.verdicts[result[1]]),
  };

  function fits(one, words, wanted) {
    if (!words.every((part) => one.text.includes(part))) return false;
    return show.value === "all" || one.results.some((results) => results.some(wanted));
  }

  function draw() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = SHOWN[show.value];
    const found = data.cases.filter((one) => fits(one, words, wanted));
    count.textContent = `${found.length} of ${data.cases.length} cases`;
    matrix.replaceChildren(heads());
    if (!found.length) matrix.append(make("p", "quiet", "No case fits."));
    else if (words.length || show.value !== "all") more(matrix, found, 0);
    else matrix.append(...byRule(found));
    if (words.length || location.hash.startsWith("#q=")) {
      history.replaceState(null, "", `#q=${encodeURIComponent(filter.value)}`);
    }
  }

  // A link cut in the middle of an escape is taken as it stands.
  function unescaped(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  for (const one of data.cases) {
    const rulesets = new Set(one.results.flat().map((result) => data.rulesets[result[0]]));
    one.text = [one.id, one.title, one.chapter, one.op, one.level, ...one.rules, ...rulesets].join(" ").toLowerCase();
  }
  document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("input", draw);
  show.addEventListener("change", draw);
  if (location.hash.startsWith("#q=")) filter.value = unescaped(location.hash.slice(3));
  draw();
})();
