"use strict";
document.documentElement.classList.add("scripts");

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function made(name, attributes = {}, ...content) {
  const element = ["svg", "rect", "text", "use", "title"].includes(name)
    ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

// The table after every step: JSON merge patches (RFC 7396), from an empty one. Tables share what did not change.
function patched(before, patch) {
  const after = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete after[key];
    else if (typeof value === "object" && !Array.isArray(value)) after[key] = patched(before[key] ?? {}, value);
    else after[key] = value;
  }
  return after;
}
const tables = [];
let table = {}, luck = data.letters.map(() => 0), chances = null;
for (const step of data.steps) {
  table = patched(table, step.patch);
  luck = step.luck ?? luck;
  chances = step.chances ?? chances;
  tables.push({ ...table, luck, chances });
}
const last = tables.length - 1;
const seats = data.letters.map((letter, seat) => seat);
const names = Object.keys(data.short);
const short = (county) => data.short[county] ?? county;
const percent = (chance) => `${Math.round(100 * chance)} %`;
const colour = (name) => (name === "peasants" || name === "neutral" ? name : `seat-${name}`);
const named = (name) => (name === "peasants" || name === "neutral" ? name : `seat ${data.letters[name]}`);

// Counties.
const counties = new Map();
for (const shape of document.querySelectorAll("#map .county:not(.out)")) {
  const name = shape.dataset.county;
  const lettering = document.querySelector(`#map .lettering[data-of="${CSS.escape(name)}"]`);
  counties.set(name, {
    shape, title: shape.querySelector("title"), armies: lettering.querySelector(".armies"),
    pieces: lettering.querySelector(".pieces"), at: /\(([-\d.]+) ([-\d.]+)\)/.exec(lettering.getAttribute("transform")),
  });
}

function drawMap(now, step) {
  const touched = (step.at ?? []).map((place) => names[place]), where = new Set(touched);
  for (const [name, county] of counties) {
    const held = now.counties?.[name];
    county.shape.setAttribute("class", `county ${held ? colour(held.owner) : "neutral"}${where.has(name) ? " at" : ""}`);
    const letter = held ? data.letters[held.owner] : "";
    if (county.armies.textContent !== (held ? letter + held.armies : ""))
      county.armies.textContent = held ? letter + held.armies : "";
    const pieces = (held?.buildings ?? []).map((kind) => ({ href: kind, text: "", kind: "" }));
    if (held?.markers) pieces.push({ href: "revolt", text: held.markers > 1 ? `${held.markers}` : "", kind: "revolt" });
    for (const seat of seats) {
      if (now.leaders?.[seat] === name) pieces.push({ href: "leader", text: "", kind: `own ${colour(seat)}` });
      const statues = (now.statues?.[seat] ?? []).filter((place) => place === name).length;
      if (statues) {
        const text = `${data.letters[seat]}${statues > 1 ? statues : ""}`;
        pieces.push({ href: "statue", text, kind: `own ${colour(seat)}` });
      }
    }
    drawPieces(county.pieces, pieces);
    const words = held ? `seat ${letter}, ${held.armies} armies` : "neutral";
    const more = pieces.map((piece) => `${piece.href.replace("_", " ")} ${piece.text}`.trim());
    const title = [`${name}: ${words}`, ...more].join(", ");
    if (county.title.textContent !== title) county.title.textContent = title;
  }
  const arrow = document.querySelector("#map .arrow");
  const ends = touched.map((name) => counties.get(name)).filter(Boolean);
  if (!arrow) return;
  arrow.setAttribute("class", ends.length === 2 ? "arrow shown" : "arrow");
  const points = ends.length === 2 ? [...ends[0].at.slice(1), ...ends[1].at.slice(1)] : [0, 0, 0, 0];
  ["x1", "y1", "x2", "y2"].forEach((key, place) => arrow.setAttribute(key, points[place]));
}

function drawPieces(group, pieces) {
  const key = JSON.stringify(pieces);
  if (group.dataset.key === key) return;
  group.dataset.key = key;
  const widths = pieces.map((piece) => 24 + 16 * piece.text.length);
  let left = -widths.reduce((sum, width) => sum + width, 0) / 2;
  group.replaceChildren(...pieces.flatMap((piece, place) => {
    const icon = made("use", { href: `#${piece.href}`, x: left + 12, y: 0, class: piece.kind });
    const text = made("text", { x: left + 23, y: 9 }, piece.text);
    left += widths[place];
    return piece.text ? [icon, text] : [icon];
  }));
}

// Seats.
function row(label, cells) {
  return made("tr", {}, made("th", { scope: "row" }, label), ...cells.map((cell) => {
    const content = typeof cell === "object" ? cell : { text: `${cell}` };
    return made("td", content.closed ? { class: "closed" } : {}, content.text);
  }));
}

function drawSeats(now) {
  const held = seats.map((seat) => Object.values(now.counties ?? {}).filter((county) => county.owner === seat));
  const rows = [];
  const add = (label, values) => rows.push(row(label, values));
  const each = (label, list, text = (value) => value) => {
    if (list) add(label, seats.map((seat) => text(list[seat], seat)));
  };
  each("victory points", now.vp);
  each("Thalers", now.thalers);
  each("grain", now.grain);
  add("counties", held.map((own) => own.length));
  add("armies there", held.map((own) => own.reduce((sum, county) => sum + county.armies, 0)));
  add("in supply", seats.map((seat) => now.supply?.[seat] ?? 0));
  if (now.order) add("place", seats.map((seat) => now.order.indexOf(seat) + 1));
  each("tile", now.tiles, (tile) => (tile ? tile.replace("_", " ") : "–"));
  if (now.parry) {
    each("courtiers", now.hall);
    each("favors kept", now.parry);
  }
  each("Landsknecht", now.top);
  each("leader", now.leaders, (county) => (county ? short(county) : "–"));
  each("statues", now.statues, (places) => places.length);
  each("trophies", now.trophies);
  each("tower luck", now.luck, (number) => `${number < -0.05 ? "−" : number > 0.05 ? "+" : ""}${Math.abs(number).toFixed(1)}`);
  if (now.chances) each("chance to win", now.chances, percent);
  byId("seats").tBodies[0].replaceChildren(...rows);
}

// Tower and tray.
function cubes(counts) {
  const all = Object.entries(counts ?? {}).filter(([, number]) => number > 0);
  const list = made("div");
  if (!all.length) list.append("none");
  for (const [name, number] of all) {
    const letter = name === "peasants" ? "p" : data.letters[name];
    const group = made("span", { role: "img", "aria-label": `${number} of ${named(name)}` });
    for (let cube = 0; cube < number; cube++) group.append(made("span", { class: `cube ${colour(name)}`, "aria-hidden": "true" }, letter));
    list.append(group, " ");
  }
  return list;
}

function drawPiles(now, before, step) {
  const cast = step.cast;
  const piles = made("div", { class: "piles" });
  const pile = (label, counts) => piles.append(made("b", {}, label), cubes(counts));
  if (cast) {
    pile("in the tower before", before.tower);
    pile("in the tray before", before.tray);
    pile("added to them", cast[0]);
    pile("fell out", cast[1]);
  }
  pile(cast ? "in the tower after" : "in the tower", now.tower);
  pile(cast ? "in the tray after" : "in the tray", now.tray);
  byId("piles").replaceChildren(piles);
  drawOdds(step);
}

function drawOdds(step) {
  if (!step.odds) return byId("odds").replaceChildren();
  const [attacker, defender, tie, exact] = step.odds;
  const { attacker: one, defender: other, result } = step.fought;
  const words = `${exact ? "Odds" : "Simulated odds"} before the cast: ${named(one)} ${percent(attacker)}, `
    + `${named(other)} ${percent(defender)}, tie ${percent(tie)}.`;
  const bar = made("svg", { viewBox: "0 0 400 26", role: "img", "aria-label": words });
  let left = 1;
  for (const [share, kind, text] of [[attacker, colour(one), one], [tie, "tie", "tie"], [defender, colour(other), other]]) {
    const letter = text === "peasants" || text === "neutral" ? "p" : text === "tie" ? "tie" : data.letters[text];
    bar.append(made("rect", { x: left, y: 1, width: 398 * share, height: 24, class: kind }));
    if (share > 0.08) bar.append(made("text", { x: left + 199 * share, y: 18, "text-anchor": "middle" }, letter));
    left += 398 * share;
  }
  const won = { attacker: `${named(one)} wins`, defender: `${named(other)} holds`, tie: "a tie" }[result];
  byId("odds").replaceChildren(bar, made("p", {}, `${words} Result: ${won}.`));
}

// Plans.
function card(text) {
  if (text === undefined) return "–";
  const [kind, value] = text.split(":");
  return kind === "county" ? short(value) : kind === "money" ? `${value} T` : kind;
}

function drawPlans(now, knower) {
  const rows = [], known = knower === "" ? null : Number(knower);
  const closed = { text: "?", closed: true };
  const cell = (seat, box, value) =>
    known === null || known === seat || now.revealed.includes(box) ? card(value) : closed;
  if (now.plans) {
    const plan = (seat) => now.plans[seat];
    const bids = seats.some((seat) => plan(seat)?.bid !== undefined);
    const of = (read) => (seat) => (plan(seat) ? read(plan(seat), seat) : "");
    if (bids) rows.push(row("bid", seats.map(of((own, seat) => cell(seat, "bid", own.bid)))));
    if (seats.some((seat) => plan(seat)?.court))
      for (const box of ["3", "2", "1"])
        rows.push(row(`court ${box}`, seats.map(of((own, seat) => cell(seat, "court", own.court[box])))));
    const seen = known === null ? now.actions : now.actions.slice(0, now.shown);
    const rest = data.actions.filter((action) => !seen.includes(action));
    for (const action of [...seen, ...rest]) {
      const place = seen.indexOf(action);
      const name = action.replace("_", " ");
      const each = row(place < 0 ? `later: ${name}` : `${place + 1}. ${name}`,
        seats.map(of((own, seat) => cell(seat, action, own.boxes[action]))));
      if (now.action === action) each.className = "current";
      rows.push(each);
    }
  }
  byId("plans").tBodies[0].replaceChildren(...rows);
  byId("round").textContent = roundText(now, known);
}

function roundText(now, known) {
  const parts = [];
  if (now.event) parts.push(`Event: ${data.events[now.event]}${now.cancelled ? " (cancelled)" : ""}.`);
  if (now.events?.length) parts.push(`Open events: ${now.events.map((event) => data.events[event]).join("; ")}.`);
  if (now.places && !now.order && Object.keys(now.places).length)
    parts.push(`Tiles: ${Object.entries(now.places).map(([box, tile]) => `${box} ${tile.replace("_", " ")}`).join(", ")}.`);
  if (now.favors && Object.keys(now.favors).length) {
    const favors = Object.entries(now.favors).map(([number, price]) => `${data.favors[number]} for ${price}`);
    parts.push(`On offer at court: ${favors.join("; ")}.`);
  }
  if (!now.plans && now.actions) {
    const open = known === null ? now.actions : now.actions.slice(0, now.shown);
    parts.push(`Actions: ${open.map((action) => action.replace("_", " ")).join(", ")}.`);
  }
  return parts.join(" ");
}

// Story, chart and controls.
const entries = [...document.querySelectorAll("#story > li")];
const story = byId("story");
for (const [number, entry] of entries.entries()) {
  entry.removeAttribute("id"); // else #111 scrolls to the entry; it opens the step
  entry.prepend(made("a", { href: `#${number}` }, `${number}`));
}
const scrolls = matchMedia("(min-width: 62rem)"); // as in the stylesheet
const season = (number) => data.seasons.findLastIndex((first) => first <= number);
let at = 0, timer = null, written = null;

function draw(number, keepHash = false) {
  at = Math.max(0, Math.min(last, number));
  const now = tables[at], step = data.steps[at], knower = byId("knew").value;
  drawMap(now, step);
  drawSeats(now);
  drawPiles(now, at ? tables[at - 1] : {}, step);
  drawPlans(now, knower);
  const told = [...entries[at].querySelectorAll("p")].map((each) => each.cloneNode(true));
  byId("now").replaceChildren(...told);
  byId("where").textContent = `Step ${at} of ${last}: ${data.names[season(at)]}`;
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", byId("where").textContent);
  entries.forEach((entry, place) => {
    const kind = place === at ? "current" : place > at && knower !== "" ? "unknown" : "";
    if (kind) entry.className = kind;
    else entry.removeAttribute("class"); // an empty attribute would tell where one has been
  });
  if (scrolls.matches) requestAnimationFrame(() => { story.scrollTop = entries[at].offsetTop - story.clientHeight / 3; });
  const parts = [...document.querySelectorAll("#chances [data-from]")];
  const latest = parts.findLast((part) => Number(part.dataset.from) <= at);
  for (const part of parts)
    part.setAttribute("class", part === latest ? "latest" : Number(part.dataset.from) > at ? "later" : "reached");
  if (!keepHash) {
    clearTimeout(written);
    written = setTimeout(() => history.replaceState(null, "", `#${at}`), 200);
  }
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (at < last ? draw(at + 1) : play(false)), 1000) : null;
  byId("play").textContent = on ? "Pause" : "Play";
  byId("play").setAttribute("aria-pressed", `${on}`);
}

const moves = {
  first: () => draw(0), last: () => draw(last), back: () => draw(at - 1), on: () => draw(at + 1),
  "season-back": () => draw(data.seasons[Math.max(0, season(at - 1))]),
  "season-on": () => draw(data.seasons[season(at) + 1] ?? last),
  play: () => play(timer === null),
};
for (const [id, move] of Object.entries(moves)) byId(id).addEventListener("click", move);
byId("slider").addEventListener("input", () => draw(Number(byId("slider").value)));
byId("knew").addEventListener("change", () => draw(at));
const keys = {
  ArrowLeft: "back", ArrowRight: "on", ArrowUp: "season-back", ArrowDown: "season-on", Home: "first", End: "last", " ": "play",
};
document.addEventListener("keydown", (event) => {
  const move = keys[event.key], inside = event.target.tagName;
  if (!move || event.altKey || event.ctrlKey || event.metaKey || inside === "SELECT") return;
  if (event.key === " " && ["BUTTON", "A", "SUMMARY"].includes(inside)) return;
  event.preventDefault();
  moves[move]();
});

function follow() {
  const number = Number(location.hash.slice(1));
  draw(/^#\d+$/.test(location.hash) && number <= last ? number : 0, true);
}
window.addEventListener("hashchange", follow);
story.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault(); // no jump of the page to the entry
  draw(Number(link.hash.slice(1)));
});
document.querySelector('nav[aria-label="Seasons"]').addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  draw(Number(link.hash.slice(1)));
});
follow();
window.scrollTo(0, 0);
