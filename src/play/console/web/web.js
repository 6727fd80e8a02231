const at = id => document.getElementById(id);
const PIECE_NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const GRADES = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
const PRESETS = { strong: "the strongest", paper: "as first published in 2017, improved", letter: "exactly as published in 2017 (weaker)" };
const still = matchMedia("(prefers-reduced-motion: reduce)");
let game = null, live = null, failures = 0;
// The half-move after which the board is shown; null for the newest position. `peek` is a step in a better line of the
// review: the half-move before the line, and the step.
let view = null, peek = null;
let flipped = false, chosen = null, cursor = null, pressed = null, premove = null, drawn = [], drawing = null;
let paused = null, over = false, boardFen = null, seat = "white";

const shown = () => (view === null ? game.moves.length : view);
const newest = () => view === null || view === game.moves.length;
const fenShown = () => (peek ? lineAt(peek.ply)[peek.step].fen : game.fens[shown()]);
const turnShown = () => (fenShown().split(" ")[1] === "w" ? "White" : "Black");
const lowerIsBlack = () => (game.kashan === "White") !== flipped;
const limited = () => game.strength !== "max";
// The user may move now, or in advance.
const mine = () => !peek && (game.analysis || (newest() && !live.thinks && !game.ending && game.turn !== game.kashan));
const early = () => !peek && newest() && live.thinks && !live.reviews && game.turn === game.kashan && !game.ending;
const own = () => (mine() ? turnShown() : early() ? (game.kashan === "White" ? "Black" : "White") : "");
const legal = () => (mine() ? game.legal[game.analysis ? shown() : 0] : []);
const grouped = number => number.toLocaleString("en");
const judgedAt = ply => game.review && game.review.moves.find(move => move.ply === ply);
const lineAt = ply => (judgedAt(ply) || { better: [] }).better;
// At a limited strength Kashan also waits, and what it drew is not told before.
const secret = () => limited() && live.thinks && !live.reviews && !game.analysis;

const SETTINGS = { bar: null, arrows: true, sound: false, letters: true, slow: false, search: null };
try { Object.assign(SETTINGS, JSON.parse(localStorage.getItem("kashan") || "{}")); } catch { /* Nothing is remembered. */ }
const setting = name => (name === "bar" && SETTINGS.bar === null ? !limited() || game.analysis : SETTINGS[name]);
// The search is folded to one line at first, unless it has a column of its own.
const WIDE = matchMedia("(min-width: 1700px)");
function set(name, value) {
  SETTINGS[name] = value;
  try { localStorage.setItem("kashan", JSON.stringify(SETTINGS)); } catch { /* Nothing is remembered. */ }
  if (live) drawGame(), drawLive();
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  return made;
}
function button(text, action, attributes) {
  const made = element("button", text, attributes);
  made.type = "button";
  made.onclick = action;
  return made;
}

// What is pressed keeps the focus even if it can do nothing now.
function enable(id, isEnabled) {
  at(id).setAttribute("aria-disabled", !isEnabled);
}
document.addEventListener("click", event => {
  if (!event.target.closest || !event.target.closest("[aria-disabled=true]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
// Where what was focused has gone, the focus goes to the status.
function keepFocus(held) {
  if (held && held !== document.body && (!held.isConnected || !held.checkVisibility())) at("status").focus({ preventScroll: true });
}

// Writes a text that screen readers say: the same text once more is not said.
function write(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}
// Says something to screen readers alone. The same words twice are said twice.
function hear(text) {
  at("heard").textContent = at("heard").textContent === text ? text + "\u00a0" : text;
}
const label = ply => {
  const [, turn, , , , number] = game.fens[ply].split(" ");
  return number + (turn === "w" ? ". " : "... ") + game.moves[ply].san;
};
function hearShown() {
  const judged = !peek && judgedAt(shown() - 1);
  hear(peek ? `${lineAt(peek.ply)[peek.step].san}, ${peek.step + 1} of ${lineAt(peek.ply).length} in the better line` : judged ? judged.text : shown() ? label(shown() - 1) : "Beginning of the game");
}
function hearReview() {
  const accuracy = ["White", "Black"].map((side, index) => (game.review.accuracy[index] === null ? "" : `, ${nameOf(side)[0]} ${game.review.accuracy[index]} %`));
  hear(game.review.judge ? "The review is done. Accuracy" + accuracy.join("") : game.review.text);
}

// ---- The board ----

// The pieces by their squares: "P" on e2.
function piecesOf(fen) {
  const pieces = {};
  fen.split(" ")[0].split("/").forEach((rank, row) => [...rank.replace(/\d/g, count => " ".repeat(count))].forEach((piece, file) => {
    if (piece !== " ") pieces["abcdefgh"[file] + (8 - row)] = piece;
  }));
  return pieces;
}
// What stands on a square: "white knight", or nothing.
function pieceOn(square) {
  const piece = piecesOf(fenShown())[square];
  return piece ? (piece === piece.toUpperCase() ? "white " : "black ") + PIECE_NAMES[piece.toLowerCase()] : "";
}
const isOwn = square => !!own() && pieceOn(square).startsWith(own().toLowerCase());
const targets = () => legal().filter(move => chosen && move.startsWith(chosen)).map(move => move.slice(2, 4));
const middle = square => {
  const [file, rank] = ["abcdefgh".indexOf(square[0]), square[1] - 1];
  return lowerIsBlack() ? [40 * (7 - file) + 20, 40 * rank + 20] : [40 * file + 20, 40 * (7 - rank) + 20];
};

function drawBoard() {
  const marks = {}, fen = fenShown();
  const last = peek ? lineAt(peek.ply)[peek.step] : game.moves[shown() - 1];
  if (last) marks[last.uci.slice(0, 2)] = marks[last.uci.slice(2, 4)] = "moved";
  if (!peek && game.checks[shown()]) marks[game.checks[shown()]] = "check";
  if (premove) for (const square of premove) marks[square] = "premove";
  if (chosen) marks[chosen] = "chosen";
  let inside = boardOf(fen, lowerIsBlack(), marks);
  for (const square of new Set(targets())) {
    const [x, y] = middle(square);
    inside += pieceOn(square) ? `<circle class="take" cx="${x}" cy="${y}" r="17.5"/>` : `<circle class="target" cx="${x}" cy="${y}" r="6"/>`;
  }
  const judged = !peek && judgedAt(shown() - 1);
  if (judged) {
    const [x, y] = middle(game.moves[shown() - 1].uci.slice(2, 4));
    inside += `<g class="sign"><circle class="${GRADES[judged.sign]}" cx="${x + 16}" cy="${y - 15}" r="8"/><text x="${x + 16}" y="${y - 12}">${judged.sign}</text></g>`;
  }
  if (cursor) {
    const [x, y] = middle(cursor);
    for (const kind of ["cursor under", "cursor"]) inside += `<rect class="${kind}" x="${x - 17.5}" y="${y - 17.5}" width="35" height="35"/>`;
  }
  at("squares").innerHTML = inside;
  if (boardFen === fen) return;
  if (boardFen) slide(boardFen, fen);
  boardFen = fen;
  const pieces = isWhite => Object.entries(piecesOf(fen)).filter(([, piece]) => (piece < "a") === isWhite).map(([square, piece]) => PIECE_NAMES[piece.toLowerCase()] + " " + square).join(", ");
  at("position").textContent = `White: ${pieces(true)}. Black: ${pieces(false)}. ${turnShown()} to move.`;
}

// Pieces slide from where they stood.
function slide(before, now) {
  const dropped = slide.dropped;
  slide.dropped = null;
  if (still.matches) return;
  const was = piecesOf(before), is = piecesOf(now);
  const left = Object.keys(was).filter(square => was[square] !== is[square]);
  const arrived = Object.keys(is).filter(square => was[square] !== is[square]);
  if (arrived.length > 6) return;
  for (const square of arrived) {
    const distance = from => Math.hypot(...middle(from).map((value, axis) => value - middle(square)[axis]));
    const [from] = left.filter(other => was[other] === is[square]).sort((a, b) => distance(a) - distance(b));
    const piece = from && at("squares").querySelector(`[data-on="${square}"]`);
    if (!piece || square === dropped) continue;
    const [dx, dy] = middle(from).map((value, axis) => value - middle(square)[axis]);
    piece.parentNode.append(piece);
    piece.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 180, easing: "ease-in-out" });
  }
}

function arrow(move, width, color, opacity) {
  const [x1, y1] = middle(move.slice(0, 2)), [x2, y2] = middle(move.slice(2, 4));
  if (move.length < 4 || move.slice(0, 2) === move.slice(2, 4)) return `<circle cx="${x1}" cy="${y1}" r="17.5" stroke="${color}" stroke-width="3" opacity="${opacity}"/>`;
  const length = Math.hypot(x2 - x1, y2 - y1), end = 1 - width * 1.5 / length, begin = Math.min(0.3, 9 / length);
  return `<line x1="${x1 + (x2 - x1) * begin}" y1="${y1 + (y2 - y1) * begin}" x2="${x1 + (x2 - x1) * end}" y2="${y1 + (y2 - y1) * end}" stroke="${color}" stroke-width="${width}" opacity="${opacity}" marker-end="url(#head)"/>`;
}

function drawArrows() {
  const search = live.search, judged = !peek && judgedAt(shown() - 1);
  let inside = "";
  if (search && live.thinks && !secret() && setting("arrows") && search.fen === fenShown()) {
    const moves = search.considered.map(move => move.uci);
    if (search.best && !moves.includes(search.best)) moves.unshift(search.best);
    inside += moves.slice(0, 3).map((move, rank) => arrow(move, [7, 5, 4][rank], "#14613a", [0.85, 0.55, 0.4][rank])).join("");
  }
  if (newest() && !peek && game.hint && !live.thinks) inside += arrow(game.hint, 7, "#1d5fc4", 0.85);
  if (judged && judged.better.length) inside += arrow(judged.better[0].uci, 7, "#1d5fc4", 0.8);
  inside += drawn.map(shape => arrow(shape.move, 6, shape.color, 0.8)).join("");
  at("arrows").innerHTML = inside;
}

// The pieces that one side has more than the other, and by how many pawns.
function material(side) {
  const worth = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 }, count = {};
  for (const piece of Object.values(piecesOf(fenShown()))) {
    const kind = piece.toLowerCase(), isOurs = (piece === kind) === (side === "Black");
    count[kind] = (count[kind] || 0) + (isOurs ? 1 : -1);
  }
  const lead = Object.keys(count).reduce((sum, kind) => sum + worth[kind] * count[kind], 0);
  const letter = side === "White" ? "b" : "w";
  const icons = [..."qrbnp"].map(kind => `<svg viewBox="0 0 45 45" aria-hidden="true"><use href="#${letter}${kind}"/></svg>`.repeat(Math.max(0, count[kind] || 0))).join("");
  return icons + (lead > 0 ? "+" + lead : "");
}

// White's winning chances in the position on show, and the value in words.
function chances() {
  const search = live.search, move = game.moves[shown() - 1];
  if (peek) return null;
  if (search && search.chance !== null && search.fen === fenShown() && !secret()) return [search.chance, search.value];
  if (move && move.value) return move.value;
  const known = game.moves.slice(0, shown()).filter(move => move.value);
  return known.length ? known[known.length - 1].value : [50, "+0.00"];
}

function drawBar() {
  const value = chances();
  at("bar").hidden = !setting("bar");
  if (!value) return;
  at("bar").classList.toggle("flipped", lowerIsBlack());
  at("bar").classList.toggle("losing", value[0] < 50);
  at("bar").firstChild.style.height = Math.max(2, Math.min(98, value[0])) + "%";
  const pawns = Math.abs(Number(value[1]));
  at("bar").lastChild.textContent = Number.isNaN(pawns) ? value[1] : pawns.toFixed(pawns < 9.95 ? 1 : 0);
  at("bar").setAttribute("aria-label", `White's winning chances ${Math.round(value[0])} %, value ${value[1]}`);
  at("bar").title = at("bar").getAttribute("aria-label");
}

// ---- The game ----

function nameOf(side) {
  if (game.players) return [game.players[side === "White" ? 0 : 1], side];
  if (game.kashan === side) return ["Kashan", limited() ? game.strength + " Elo" : "full strength"];
  return [game.kashan ? "You" : side, game.kashan ? side : ""];
}

function drawGame() {
  for (const [id, side] of [["upper", lowerIsBlack() ? "White" : "Black"], ["lower", lowerIsBlack() ? "Black" : "White"]]) {
    const [name, about] = nameOf(side), strip = at(id);
    strip.children[0].textContent = name;
    strip.children[1].textContent = about;
    strip.children[2].innerHTML = material(side);
    strip.classList.toggle("turn", !game.ending && turnShown() === side);
    strip.dataset.side = side;
  }
  // What Kashan said is of the newest position.
  write("said", newest() && !peek ? game.said.join("\n") : "");
  drawMoves();
  drawValues();
  drawReview();
  const last = game.moves[shown() - 1], here = shown();
  at("explain").hidden = !(last && last.page);
  at("explain").href = "explain/" + (here - 1) + (lowerIsBlack() ? "?black" : "");
  at("explain").textContent = last ? "Why " + last.san + "?" : "";
  for (const id of ["first", "back"]) enable(id, here || peek);
  for (const id of ["forth", "last"]) enable(id, !newest() || peek);
  at("resume").hidden = !game.resumable;
  at("comments").hidden = !game.comments;
  at("looks").hidden = !game.moves.length;
  at("review").classList.toggle("first", !!game.ending && !game.review);
  at("from").hidden = !(game.analysis || !newest());
  at("game").hidden = !game.varies;
  at("analyse").setAttribute("aria-pressed", game.analysis);
  at("lines").hidden = !game.analysis;
  at("lines").setAttribute("aria-pressed", game.lines > 1);
  document.title = (mine() && game.kashan && game.moves.length ? "● " : "") + "Kashan";
  drawBoard();
}

// The list is one stop of the Tab key, at the move on show.
function drawMoves() {
  const list = at("moves"), holdsFocus = list.contains(document.activeElement);
  const key = JSON.stringify([game.fens[0], game.moves, game.ending, game.kashan, game.turn]);
  if (drawMoves.key !== key) listMoves(list);
  drawMoves.key = key;
  const made = [...list.querySelectorAll("[data-ply]")], current = made[Math.max(shown(), 1) - 1];
  for (const button of made) {
    button.tabIndex = button === current ? 0 : -1;
    if (button === current && shown()) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  if (holdsFocus && current) current.focus({ preventScroll: true });
  if (current) list.scrollTop = newest() ? list.scrollHeight : current.parentNode.offsetTop - list.offsetTop - 120;
}

function listMoves(list) {
  list.textContent = "";
  if (!game.moves.length) {
    const how = game.kashan === game.turn ? "Kashan has the first move." : "Click a piece and then a square, drag it, or type the move below; the key ? lists the keys.";
    list.append(element("li", "Moves appear here. " + how, { class: "empty" }));
  }
  game.moves.forEach((move, index) => {
    const [, turn, , , , number] = game.fens[index].split(" ");
    if (turn === "w" || !index) {
      list.append(element("li", ""));
      list.lastChild.append(element("span", number));
      if (turn === "b") list.lastChild.append(element("span", "…"));
    }
    const attributes = { "data-ply": index + 1 };
    if (move.sign) Object.assign(attributes, { "data-sign": move.sign, class: GRADES[move.sign], "aria-label": move.san + ", " + GRADES[move.sign] });
    const made = element("button", move.san, attributes);
    if (move.value) made.title = "value " + move.value[1];
    list.lastChild.append(made);
  });
  if (game.ending && game.moves.length) list.append(element("li", game.ending, { class: "result" }));
}

// White's chances over the game; bad moves are marked.
function drawValues() {
  const length = Math.max(game.moves.length, 1), x = ply => 300 * ply / length, y = value => 60 - 0.6 * value;
  const points = game.moves.flatMap((move, index) => (move.value ? [[index + 1, move.value]] : []));
  // Who plays against a limited strength is not told who is better, unless by the bar.
  const isTold = points.length > 1 && (setting("bar") || game.ending || game.review);
  at("values").style.display = isTold ? "" : "none";
  if (!isTold) return;
  const line = points.map(([ply, value]) => `${x(ply)},${y(value[0])}`).join(" ");
  const bad = game.moves.map((move, index) => (GRADES[move.sign] ? `<rect class="${GRADES[move.sign]}" x="${x(index + 1) - 1}" y="0" width="2" height="60"/>` : "")).join("");
  at("values").innerHTML = `<polygon points="0,60 0,${y(points[0][1][0])} ${line} 300,${y(points[points.length - 1][1][0])} 300,60"/><line x1="0" x2="300" y1="30" y2="30"/>${bad}<line class="now" x1="${x(shown())}" x2="${x(shown())}" y1="0" y2="60"/>`;
  at("values").setAttribute("aria-label", "White's winning chances over the game; at the end " + Math.round(points[points.length - 1][1][0]) + " %");
}

// The move that was made in this position of the game, if one was.
function playedFrom(fen) {
  const ply = game.fens.lastIndexOf(fen);
  return game.moves[ply] ? game.moves[ply].san : "";
}

// The move on show as the review judges it, and the summary of both sides.
function drawReview() {
  const judged = judgedAt(peek ? peek.ply : shown() - 1) || null, box = at("judged"), keys = drawReview.keys || ["", ""];
  const now = [judged, [game.review, game.varies, game.kashan, game.players, game.strength]].map(of => JSON.stringify(of));
  drawReview.keys = now;
  if (keys[0] !== now[0]) drawJudged(box, judged);
  box.querySelectorAll("button").forEach((made, step) => made.setAttribute("aria-pressed", !!peek && peek.step === step));
  if (keys[1] !== now[1]) drawSummary(at("reviewed"), game.review);
}

function drawJudged(box, judged) {
  box.replaceChildren();
  if (!judged) return;
  box.append(element("p", judged.text));
  if (!judged.better.length) return;
  const line = element("div", "", { class: "buttons" });
  line.append(element("span", "Play through:"), ...judged.better.map((move, step) => button(move.san, () => look(judged.ply, step), {})));
  box.append(line);
}

function drawSummary(summary, review) {
  summary.replaceChildren();
  if (!review || game.varies) return;
  if (!review.judge) return summary.append(element("p", review.text));
  const table = element("table", ""), grade = ply => GRADES[game.moves[ply].sign] || "";
  const jump = ply => button(label(ply) + (game.moves[ply].sign || ""), () => show(ply + 1), { class: grade(ply), "aria-label": [label(ply), grade(ply)].filter(Boolean).join(", ") });
  const heads = element("tr", "");
  heads.append(element("th", "", { class: "words" }), ...["Accuracy", "?!", "?", "??"].map(head => element("th", head, { class: GRADES[head] || "", title: GRADES[head] || "", "aria-label": GRADES[head] || head })));
  table.append(heads);
  ["White", "Black"].forEach((side, index) => {
    const row = element("tr", ""), bad = review.moves.filter(move => (game.fens[move.ply].split(" ")[1] === "w") === (side === "White"));
    const accuracy = review.accuracy[index];
    row.append(element("td", nameOf(side).filter(Boolean).join(", "), { class: "words" }), element("td", accuracy === null ? "" : accuracy + " %"));
    for (const sign of ["?!", "?", "??"]) row.append(element("td", bad.filter(move => move.sign === sign).length));
    table.append(row);
    const worst = bad.sort((a, b) => b.loss - a.loss).slice(0, 3), list = element("div", "", { class: "buttons" });
    if (!worst.length) return;
    list.append(element("span", (nameOf(side)[0] === "You" ? "Your" : nameOf(side)[0] + "'s") + " worst:"), ...worst.map(move => jump(move.ply)));
    summary.append(list);
  });
  summary.prepend(table);
  if (review.moves.length) {
    const marked = element("div", "", { class: "buttons" });
    marked.append(button("‹ Marked move", () => showMarked(-1), {}), button("Marked move ›", () => showMarked(1), {}));
    summary.append(marked);
  }
  if (review.turning !== null && game.moves[review.turning]) {
    const turning = element("div", "", { class: "buttons" });
    turning.append(element("span", "The turning point:"), jump(review.turning));
    summary.append(turning);
  }
  summary.append(element("p", `Judged by ${review.judge}. ?! is an inaccuracy, ? a mistake, ?? a blunder: more than 5, 10 or 15 points of the winning chances lost. Accuracy is 100 % where no move loses anything, by lichess's formula.${review.missing ? ` The last ${review.missing === 1 ? "move was" : review.missing + " moves were"} not judged.` : ""}`, { class: "quiet" }));
}

function clock(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000), pad = number => String(number).padStart(2, "0");
  if (milliseconds < 10000) return "0:0" + (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const hours = Math.floor(seconds / 3600);
  return (hours ? hours + ":" + pad(Math.floor(seconds / 60) % 60) : Math.floor(seconds / 60)) + ":" + pad(seconds % 60);
}

function drawLive() {
  for (const id of ["upper", "lower"]) {
    const time = live.clocks && !game.analysis ? live.clocks[at(id).dataset.side === "White" ? 0 : 1] : null;
    at(id).lastElementChild.textContent = time === null ? "" : clock(time);
    at(id).lastElementChild.classList.toggle("low", time !== null && time < 20000);
  }
  const turn = game.turn === game.kashan ? "Kashan is to move." : game.turn + " to move" + (game.kashan ? ": your turn." : ".");
  write("status", live.reviews ? "Reviewing the game …" : game.analysis ? "Analysis: move both sides." : game.ending || (live.thinks ? "Kashan is thinking." + (premove ? " Your next move is " + premove.join("–") + "." : "") : turn));
  const plays = !game.analysis && !game.ending;
  at("go").hidden = live.thinks || !plays || game.turn !== game.kashan && !!game.moves.length && !!game.kashan;
  // It keeps its place between moves: no other button comes under the pointer.
  at("now").hidden = !(live.reviews || plays && at("go").hidden);
  at("now").textContent = live.reviews ? `Stop (${live.judged} %)` : "Move now";
  enable("now", live.thinks);
  at("undo").hidden = game.analysis;
  enable("undo", game.moves.length);
  at("hint").hidden = at("draw").hidden = at("resign").hidden = !plays;
  for (const id of ["hint", "draw", "resign"]) enable(id, !live.thinks);
  enable("review", !(live.thinks && !game.analysis || live.reviews || game.varies || !game.moves.length));
  drawBar();
  drawSearch();
}

// ---- The search ----

const WHY = {
  tree: ["The tree of branches", "A branch is a line of moves; Kashan keeps a population of them in one tree. The best branch runs straight; others live beside it until they are refuted. The outline tells how a move came in; a box lights up when it is born, and fades when it dies.", "8,45 60,45 best;60,45 112,45 best;112,45 164,45 best;60,45 112,15 mutation;112,45 164,75 growth"],
  changes: ["Changes of the best branch", "Each bar: another branch became the best. A tall bar changed one of the first moves, a short one a move deep in the line; the colour tells how the new move came in. The first generations are further apart.", "20,85 20,15 mutation;60,85 60,55 growth;95,85 95,65 growth;130,85 130,35 crossover;165,85 165,60 growth"],
  k: ["K", "How many half-moves from the root a branch loses out to a better one. 0: it never does, and would be played.", "8,45 60,45 best;60,45 112,45 best;112,45 164,45 best;60,45 112,75 growth;112,75 164,75 growth"],
  fitness: ["Fitness", "How near a branch is to being played: H − K + 1. The best branch has the most, H + 1.", "8,45 60,45 best;60,45 112,45 best;112,45 164,45 best;112,45 164,15 crossover"],
  h: ["H", "The height of the tree: the number of half-moves in its longest branch.", "8,45 60,45 growth;60,45 112,20 growth;112,20 164,20 best;60,45 112,70 growth"],
  p: ["P", "The number of branches that breed in a generation: one in the strongest method, many in those of 2017.", "8,45 60,20 growth;8,45 60,70 growth;60,20 112,20 mutation;60,70 112,70 mutation"],
  crossover: ["Crossover", "The end of another branch is tried here: what works there may work here, too.", "8,45 60,20 best;60,20 112,20 crossover;112,20 164,20 crossover;8,45 60,70 growth;60,70 112,70 growth;112,70 164,70 growth"],
  mutation: ["Mutation", "A move of a branch is replaced by another legal move. A mutant lives if it is shown to be better; most die at once.", "8,45 60,45 best;60,45 112,45 best;112,45 164,45 best;60,45 112,15 mutation"],
  generations: ["Generations", "In a generation one branch is valued or bred. It may leave several children or none, so there are not as many births as generations. Mutants count if they live.", "8,45 60,45 best;60,45 112,45 best;112,45 164,15 mutation;112,45 164,75 crossover"],
  growth: ["Growth", "A branch gets one move more at its end, where a quick look cannot tell who is better.", "8,45 60,45 best;60,45 112,45 best;112,45 164,45 growth"],
};
document.addEventListener("click", event => {
  const name = event.target.dataset && event.target.dataset.why;
  if (!name) return;
  event.preventDefault();
  const [title, text, lines] = WHY[name], box = at("why");
  const colors = { best: "var(--accent)" };
  box.children[0].textContent = title;
  box.children[1].textContent = text;
  box.children[2].innerHTML = lines.split(";").map(line => {
    const [from, to, kind] = line.split(" "), color = colors[kind] || `var(--${kind})`, [x, y] = to.split(",");
    return `<path d="M${from.replace(",", " ")}L${to.replace(",", " ")}" style="stroke:${color};stroke-width:${kind === "best" ? 4 : 2.5}"/><circle cx="${x}" cy="${y}" r="6" fill="${color}"/>`;
  }).join("") + (lines.startsWith("8,") ? '<circle cx="8" cy="45" r="4" fill="var(--quiet)"/>' : "");
  box.showPopover();
  const mark = event.target.getBoundingClientRect(), size = box.getBoundingClientRect();
  box.style.margin = 0;
  box.style.left = Math.max(8, Math.min(mark.x - 20, innerWidth - size.width - 8)) + "px";
  box.style.top = (mark.bottom + size.height + 16 < innerHeight ? mark.bottom + 8 : Math.max(8, mark.top - size.height - 8)) + "px";
});
// A note has nothing to Tab to: the focus goes back to its button.
at("why").addEventListener("keydown", event => {
  if (event.key !== "Tab") return;
  event.preventDefault();
  at("why").hidePopover();
});
let isExplaining = false;
at("why").addEventListener("toggle", event => { isExplaining = event.newState === "open"; });
const why = (name, text) => element("button", "?", { class: "why", "data-why": name, "aria-label": "What is " + text + "?", type: "button" });
for (const mark of document.querySelectorAll(".why")) mark.setAttribute("aria-label", "What is this: " + WHY[mark.dataset.why][0] + "?");

function drawSearch() {
  const search = live.search, bred = search && search.genetic;
  const line = at("considers");
  // Before the first search there is nothing but words.
  at("search").parentNode.classList.toggle("seen", !!search && !secret());
  if (!search || secret()) {
    line.textContent = secret() ? `Kashan thinks like a player of ${game.strength} Elo; what it saw is shown after its move.` : (at("search").open ? "Here one sees" : "Open this to see") + " which moves Kashan considers, and how they were bred, as soon as it thinks.";
    if (!search) return;
  } else {
    // At a limited strength it draws, and hardly breeds.
    const parts = search.draw.length ? search.draw.map(move => [move.san, move.percent]) : search.considered.map(move => [move.san, move.share]);
    const moves = parts.slice(0, 3).map(([san, percent]) => `${san} ${percent} %`).join(", ") || search.line.split(" ")[0];
    const played = search.draw.length ? playedFrom(search.fen) : "";
    const how = played ? `Kashan played ${played}, drawn from ` : search.draw.length ? "Kashan draws its move from " : live.thinks && !live.reviews ? "Kashan considers " : "Kashan considered ";
    line.replaceChildren(element("span", how), element("b", moves), element("span", (search.draw.length || !parts.length ? "" : " of the time") + ` · depth ${search.depth}` + (bred && !search.draw.length ? ` · ${grouped(bred.generation)} generation${bred.generation === 1 ? "" : "s"}` : "") + (search.value && !(limited() && !setting("bar") && !game.ending) ? ` · value ${search.value}` : "")));
  }
  if (!at("search").open || secret() || paused) return;
  at("best").textContent = search.line;
  at("best").prepend(element("b", search.value));
  at("others").replaceChildren(...search.others.map(([value, line]) => {
    const row = element("li", line, { class: "line" });
    row.prepend(element("b", value));
    return row;
  }));
  const few = limited() && !game.analysis ? "At " + game.strength + " Elo it looks at too few positions to breed much: full strength and the analysis show the breeding at work. " : "";
  const draws = search.draw.map(move => move.san + " " + move.percent + " % (" + move.value + ")").join(", ");
  at("drawn").textContent = few + (draws ? "The move was chosen at random among " + draws + "." : "");
  const rows = bred ? [["Growth", bred.growths, "growth"], ["Crossover", bred.crossovers, "crossover"], ["Mutation", bred.mutations, "mutation"], ["H", bred.height, "h"], ["P", bred.population, "p"], ["Generations", bred.generation, "generations"]] : [];
  rows.push(["Positions", search.nodes], ["Per second", Math.round(search.nodes / Math.max(search.milliseconds / 1000, 0.05))]);
  if (at("figures").children.length !== rows.length) {
    at("figures").replaceChildren(...rows.map(([name, , about]) => {
      const cell = element("div", "", { class: about || "" }), head = element("dt", name + " ");
      if (about) head.append(why(about, name));
      cell.append(head, element("dd", ""));
      return cell;
    }));
  }
  rows.forEach(([, value], index) => { at("figures").children[index].lastChild.textContent = typeof value === "number" ? grouped(value) : value; });
  at("branches").tBodies[0].replaceChildren(...(bred ? bred.branches : []).map(branch => {
    const row = element("tr", "");
    row.append(element("td", branch.k), element("td", branch.fitness), element("td", branch.value), element("td", branch.line, { class: "words", title: branch.line }));
    return row;
  }));
  const most = Math.max(1, ...search.considered.map(move => move.share));
  at("efforts").replaceChildren(...search.considered.map(move => {
    const row = element("li", ""), bar = element("i", ""), cell = element("span", "");
    bar.style.width = 100 * move.share / most + "%";
    cell.append(bar);
    row.append(element("span", move.san), cell, element("span", move.share + " %"), element("span", move.value));
    return row;
  }));
  const now = performance.now();
  if (bred && bred.tree.length && !(SETTINGS.slow && live.thinks && now - drawSearch.at < 1000)) {
    drawSearch.at = now;
    if (drawSearch.fen !== search.fen) clearTree(at("tree"));
    drawSearch.fen = search.fen;
    drawTree(at("tree"), bred.tree);
    drawChanges(search, bred);
  }
}

// The generation in which a branch became the best, and the operator that made its move.
function cameFirst(generation, operator) {
  if (!generation) return "at the start";
  return `generation ${grouped(generation)}, ${operator === "initial" ? "there from the start" : "born by " + operator}`;
}
// A bar for each new best branch, over the logarithm of the generation.
function drawChanges(search, bred) {
  const x = generation => 294 * Math.log(1 + generation) / Math.log(2 + bred.generation);
  at("changes").innerHTML = search.changes.map(([generation, level, san, operator]) => {
    const height = 34 / (1 + 0.45 * (level - 1));
    return `<rect class="${operator}" x="${x(generation)}" y="${34 - height}" width="1.8" height="${height}"><title>${san}: ${cameFirst(generation, operator)}</title></rect>`;
  }).join("");
  const first = search.changes.filter(change => change[1] === 1).map(([generation, , san, operator]) => `${san} (${cameFirst(generation, operator)})`);
  at("changed").textContent = first.length ? "The best branch began with " + first.slice(-6).join(", then ") + "." : "";
  at("changes").setAttribute("aria-label", `${search.changes.length} change${search.changes.length === 1 ? "" : "s"} of the best branch. ` + at("changed").textContent);
}
at("search").open = SETTINGS.search ?? WIDE.matches;
at("search").addEventListener("toggle", () => {
  if (at("search").open !== (SETTINGS.search ?? WIDE.matches)) set("search", at("search").open);
  else if (live) drawSearch();
});
// Stops the drawing of the search; `fen` is the position that is searched, or null to go on.
function pause(fen) {
  paused = fen;
  at("pause").textContent = fen ? "Go on" : "Pause";
}
at("pause").onclick = () => {
  pause(!paused && live.search ? live.search.fen : null);
  hear(paused ? "The view of the search is paused" : "The view of the search goes on");
};

// ---- What comes from Kashan, and what goes there ----

function take(state) {
  if (over) return;
  const held = document.activeElement;
  let hasMoved = false, isReviewed = false;
  // An answer may have been overtaken.
  if (state.game && game && state.game.version < game.version) return;
  // Two answers may bring the same game: the second must not take away what the page has said since.
  const isNew = state.game && (!game || state.game.version !== game.version), before = game;
  const said = at("said").textContent, saysOther = isNew && (!game || game.said.join() !== state.game.said.join());
  if (isNew) {
    const moves = of => of.fens[0] + of.moves.map(move => move.uci).join(), moved = before && moves(state.game) !== moves(before);
    if (!before || moved) [view, chosen, peek, drawn] = [state.game.at, null, null, []];
    if (moved && state.game.moves.length < before.moves.length) {
      cursor = null;
      at("text").value = "";
    }
    game = state.game;
    if (peek && !lineAt(peek.ply)[peek.step]) peek = null;
    if (!game.analysis) seat = game.kashan === "White" ? "black" : game.kashan ? "white" : "both";
    hasMoved = moved;
    const told = of => JSON.stringify(of.review && [of.review.text, of.review.judge]);
    isReviewed = before && game.review && told(before) !== told(game);
  }
  live = state.live;
  // A search of a position that is no more on the board is not shown.
  if (live.search && !game.fens.includes(live.search.fen)) live.search = null;
  // A pause is of one position.
  if (paused && !(live.search && live.search.fen === paused)) pause(null);
  if (isNew) drawGame();
  // Nor must a game in which something else changed while a piece is held.
  if (chosen && !saysOther) at("said").textContent = said;
  drawLive();
  drawArrows();
  if (premove && !early()) {
    const [from, to] = premove;
    premove = null;
    const move = legal().filter(move => move.startsWith(from + to));
    if (move.length) playText(move.find(move => move.length === 4 || move.endsWith("q")));
    drawBoard();
  }
  keepFocus(held);
  if (hasMoved && !game.said.length) hearShown();
  if (isReviewed) hearReview();
  if (hasMoved && !game.analysis) sound(game);
}

async function poll() {
  let state = null;
  try {
    const answer = await fetch("state?game=" + (game ? game.version : 0));
    if (!answer.ok) throw new Error(answer.statusText);
    state = await answer.json();
    failures = 0;
  } catch {
    failures++;
    if (failures > 5) return ended();
  }
  if (over) return;
  // A fault of the page's own is no lost connection.
  try { if (state) take(state); } catch (error) { console.error(error); }
  setTimeout(poll, document.hidden ? 1000 : live && live.thinks ? 100 : 300);
}

function ended() {
  over = true;
  at("status").textContent = "Kashan has ended. The game is kept: start it again to go on.";
  for (const button of document.querySelectorAll("button")) button.disabled = true;
}

// Returns true if it was done.
async function send(action) {
  let state = null;
  try {
    const answer = await fetch("do", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(action) });
    if (answer.ok) state = await answer.json();
    else at("said").textContent = await answer.text();
  } catch {
    at("said").textContent = "Kashan does not answer.";
  }
  if (state) take(state);
  return !!state;
}

const playText = text => send({ do: "move", text, ply: game.analysis ? shown() : game.moves.length });

// A short knock; a second one for a capture, a higher one for check, a long one at the end.
function sound(now) {
  if (!SETTINGS.sound) return;
  const last = now.moves[now.moves.length - 1], audio = (sound.audio = sound.audio || new AudioContext());
  const knock = (wait, pitch, length) => {
    const tone = audio.createOscillator(), volume = audio.createGain(), start = audio.currentTime + wait;
    tone.frequency.setValueAtTime(pitch, start);
    tone.frequency.exponentialRampToValueAtTime(pitch / 3, start + length);
    volume.gain.setValueAtTime(0.35, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  };
  knock(0, /\+|#/.test(last ? last.san : "") ? 520 : 260, 0.07);
  if (last && last.san.includes("x")) knock(0.06, 200, 0.07);
  if (now.ending) knock(0.15, 330, 0.6);
}

// Plays a move between two squares, and asks what a pawn becomes. False if there is none.
function play(from, to, isDropped) {
  // The king onto its own rook castles, too.
  const [king, rook] = [pieceOn(from), pieceOn(to)], isAtHome = from[0] === "e" && to[1] === from[1] && "ah".includes(to[0]);
  if (isAtHome && king.endsWith("king") && rook === king.replace("king", "rook")) to = (to[0] === "h" ? "g" : "c") + from[1];
  const moves = legal().filter(move => move.startsWith(from + to));
  if (early() && isOwn(from)) {
    premove = [from, to];
    chosen = null;
    drawBoard();
    drawLive();
    return true;
  }
  if (!moves.length) return false;
  chosen = null;
  // It lies there already.
  if (isDropped) slide.dropped = to;
  if (moves.length === 1) playText(moves[0]);
  else {
    const dialog = at("promotion"), side = turnShown() === "White" ? "w" : "b";
    dialog.replaceChildren(element("p", "Promote to"), element("div", "", { class: "buttons" }));
    for (const piece of "qrbn") {
      const made = button("", () => { dialog.close(); playText(from + to + piece); }, { "aria-label": PIECE_NAMES[piece], "data-piece": piece });
      made.innerHTML = `<svg viewBox="0 0 45 45" aria-hidden="true"><use href="#${side}${piece}"/></svg>`;
      dialog.lastChild.append(made);
    }
    dialog.showModal();
  }
  drawBoard();
  return true;
}

// A square was clicked, or chosen with the keyboard. True if that was a move.
function pick(square) {
  if (chosen && chosen !== square && play(chosen, square)) return true;
  const before = chosen;
  premove = null;
  chosen = isOwn(square) && chosen !== square ? square : null;
  drawBoard();
  const nothing = own() ? "nothing to pick up" : game.ending && !game.analysis ? "the game is over" : newest() && !peek ? "not your turn" : "another position is on the board";
  if (cursor) at("said").textContent = chosen ? pieceOn(square) + " picked up" : before ? "let go" : nothing;
  else if (pieceOn(square) && !own() && !live.thinks) at("said").textContent = game.ending && newest() && !peek ? "The game is over: Analysis goes on from here." : "This is a past position: Analysis goes on from here, End shows the newest one.";
  return false;
}

// ---- Mouse, touch and keys ----

const board = at("board");
const squareAt = event => {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  return under && under.dataset.square;
};
board.addEventListener("mousedown", event => {
  // A board that is clicked does not take the cursor keys, which browse then.
  event.preventDefault();
  if (document.activeElement) document.activeElement.blur();
});
// Who comes with the Tab key sees and hears where the cursor is.
board.addEventListener("focus", () => {
  if (!game || !board.matches(":focus-visible")) return;
  cursor = cursor || (lowerIsBlack() ? "e7" : "e2");
  drawBoard();
  hear(`Board, ${turnShown()} to move. Cursor on ${atCursor()}`);
});
const atCursor = () => cursor + (pieceOn(cursor) ? ", " + pieceOn(cursor) : "") + (targets().includes(cursor) ? ", can be reached" : "");
board.addEventListener("contextmenu", event => event.preventDefault());
board.addEventListener("pointerdown", event => {
  const square = squareAt(event);
  if (!game || !square) return;
  cursor = null;
  if (event.button === 2) {
    drawing = { from: square, color: event.shiftKey ? "#b3261e" : event.altKey ? "#1d5fc4" : "#c96f00" };
    return;
  }
  if (event.button) return;
  if (drawn.length) {
    drawn = [];
    drawArrows();
  }
  pressed = { square, x: event.clientX, y: event.clientY, was: chosen === square };
  if (!(chosen && chosen !== square && (targets().includes(square) || early())) && !pressed.was && pick(square)) pressed = null;
});
board.addEventListener("pointermove", event => {
  if (!pressed || chosen !== pressed.square || event.pointerType === "touch") return;
  const piece = board.querySelector(`[data-on="${chosen}"]`), scale = 320 / board.getBoundingClientRect().width;
  piece.setAttribute("transform", `translate(${(event.clientX - pressed.x) * scale} ${(event.clientY - pressed.y) * scale})`);
  piece.parentNode.append(piece);
});
addEventListener("pointerup", event => {
  const square = squareAt(event), from = pressed;
  if (drawing && event.button === 2) {
    const move = drawing.from + (square || drawing.from), had = drawn.length;
    drawn = drawn.filter(shape => shape.move !== move);
    if (drawn.length === had) drawn.push({ move, color: drawing.color });
    drawing = null;
    return drawArrows();
  }
  pressed = null;
  if (!from) return;
  if (square === from.square) {
    if (from.was || chosen !== square) pick(square);
    else drawBoard();
  } else if (chosen === from.square && square && play(chosen, square, true)) return;
  else drawBoard();
});
addEventListener("resize", () => game && drawMoves());
addEventListener("pointercancel", () => { pressed = drawing = null; });
board.addEventListener("keydown", event => {
  if (!game || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  const leap = { PageUp: -1, PageDown: 1 }[event.key];
  if (leap) step(leap);
  else if (way) {
    const turn = lowerIsBlack() ? -1 : 1, from = cursor || (turn > 0 ? "e2" : "e7");
    const to = ["abcdefgh".indexOf(from[0]) + turn * way[0], +from[1] + turn * way[1]];
    if (to[0] >= 0 && to[0] < 8 && to[1] > 0 && to[1] < 9) cursor = "abcdefgh"[to[0]] + to[1];
    drawBoard();
    board.querySelector(".cursor").scrollIntoView({ block: "nearest" });
    at("said").textContent = atCursor();
  } else if ((event.key === "Enter" || event.key === " ") && cursor) pick(cursor);
  else if (event.key === "Escape") {
    if (chosen) at("said").textContent = "let go";
    else cursor = null;
    chosen = premove = null;
    drawBoard();
  }
  else return;
  event.preventDefault();
  event.stopPropagation();
});

function turnBar() {
  set("bar", !setting("bar"));
  hear(setting("bar") ? at("bar").getAttribute("aria-label") : "The evaluation bar is off");
}
// The last move and the value; the value only where it is shown.
function hearValue() {
  const move = shown() ? label(shown() - 1) : "Beginning of the game";
  hear(move + (setting("bar") ? ". " + at("bar").getAttribute("aria-label") : ""));
}
function foldSearch() {
  const search = at("search");
  search.open = !search.open;
  if (!search.open && search.contains(document.activeElement)) search.firstElementChild.focus();
  hear(search.open ? "The search is open" : "The search is folded");
}

const KEYS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => show(0), End: () => show(game.moves.length),
  f: () => at("flip").click(), e: turnBar, v: hearValue, b: () => at("board").focus(), a: () => at("analyse").click(), h: () => at("keyboard").showModal(), "?": () => at("keyboard").showModal(),
  n: () => showMarked(1), N: () => showMarked(-1),
  s: foldSearch, p: () => at("pause").click(), m: () => at("text").select(),
  Escape: () => { [chosen, premove, peek] = [null, null, null]; drawGame(); drawArrows(); },
};
addEventListener("keydown", event => {
  const isTyping = event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey;
  if (!game || isTyping || document.querySelector("dialog[open]") || isExplaining || !KEYS[event.key]) return;
  // Who speaks to the computer may switch off the keys of one letter.
  if (/^[a-z]$/i.test(event.key) && !SETTINGS.letters) return;
  event.preventDefault();
  KEYS[event.key]();
});

// The squares of a promotion that does not say to which piece: e8, dxe8 or e7e8.
function promotionOf(text) {
  const [, file, to] = /^([a-h])?[27]?x?([a-h][18])$/.exec(text) || [];
  const move = to && legal().find(move => move.length === 5 && move.slice(2, 4) === to && move[0] === (file || to[0]));
  return move ? [move.slice(0, 2), to] : [];
}
at("typed").addEventListener("submit", event => {
  event.preventDefault();
  const text = at("text").value.trim();
  if (!text) return;
  if (peek || !(game.analysis || newest())) {
    at("said").textContent = "Another position is on the board: End shows the newest one.";
    return at("text").select();
  }
  const [from, to] = promotionOf(text);
  if (from) {
    at("text").value = "";
    play(from, to);
  } else playText(text).then(isPlayed => { if (isPlayed) at("text").value = ""; else at("text").select(); });
});
at("text").addEventListener("keydown", event => event.key === "Escape" && at("text").blur());
for (const id of ["undo", "hint", "now", "go", "draw", "resume"]) at(id).onclick = () => send({ do: id });
at("lines").onclick = () => send({ do: "lines", lines: game.lines > 1 ? 1 : 3 });
at("review").onclick = () => send({ do: "review" });
at("resign").onclick = () => confirm("Resign this game?") && send({ do: "resign" });
at("quit").onclick = async () => {
  if (!confirm("End the program? The game is kept.")) return;
  if (await send({ do: "quit" })) ended();
};
at("analyse").onclick = () => {
  if (game.analysis && game.varies && !confirm("Leave the analysis? Its moves are not kept.")) return;
  send(game.analysis ? { do: "leave" } : { do: "analyse", ply: shown() });
};
at("game").onclick = () => send({ do: "analyse", ply: shown() });
at("from").onclick = () => send({ do: "from", ply: shown() });
at("flip").onclick = () => { flipped = !flipped; boardFen = null; drawGame(); drawLive(); drawArrows(); hear((lowerIsBlack() ? "Black" : "White") + " is at the bottom"); };

// Shows the position after so many half-moves; in an analysis it is searched.
function show(ply) {
  const last = game.moves.length;
  if (over) return;
  const held = document.activeElement;
  view = ply < 0 ? 0 : ply >= last ? null : ply;
  [chosen, peek, drawn, premove] = [null, null, [], null];
  drawGame();
  drawLive();
  drawArrows();
  hearShown();
  keepFocus(held);
  clearTimeout(show.waits);
  if (game.analysis) show.waits = setTimeout(() => send({ do: "look", ply: shown() }), 150);
}
// Shows a step of the better line.
function look(ply, step) {
  if (over || step >= lineAt(ply).length) return;
  const held = document.activeElement;
  peek = step < 0 ? null : { ply, step };
  view = step < 0 ? ply : ply + 1;
  if (view === game.moves.length) view = null;
  chosen = null;
  drawGame();
  drawLive();
  drawArrows();
  hearShown();
  keepFocus(held);
}
// The next move with a mark of the review, or the one before.
function showMarked(way) {
  const marked = game.moves.flatMap((move, index) => (GRADES[move.sign] ? [index + 1] : []));
  const ply = way > 0 ? marked.find(ply => ply > shown()) : marked.findLast(ply => ply < shown());
  if (ply) show(ply);
  else at("said").textContent = marked.length ? "No more marked moves." : "No move is marked by a review.";
}
const step = by => (peek ? look(peek.ply, peek.step + by) : show(shown() + by));
at("moves").addEventListener("click", event => event.target.dataset.ply && show(+event.target.dataset.ply));
at("values").addEventListener("click", event => {
  const box = at("values").getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * game.moves.length));
});
at("first").onclick = () => show(0);
at("back").onclick = () => step(-1);
at("forth").onclick = () => step(1);
at("last").onclick = () => show(game.moves.length);

// Opens a dialog, and does something with its answer.
function ask(id, answered) {
  const dialog = at(id);
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue && answered(dialog.querySelector("form"));
  dialog.showModal();
}
at("help").onclick = () => at("keyboard").showModal();
at("settings").onclick = () => {
  const form = at("choices").querySelector("form");
  for (const name of ["bar", "arrows", "sound", "letters", "slow"]) {
    form[name].checked = setting(name);
    form[name].onchange = () => { set(name, form[name].checked); drawArrows(); };
  }
  at("choices").showModal();
};
at("new").onclick = () => {
  const form = at("setup").querySelector("form");
  form.preset.replaceChildren(...game.presets.map(preset => element("option", PRESETS[preset] || preset, { value: preset })));
  form.preset.value = game.preset;
  const words = { 800: "beginner", 1200: "casual player", 1600: "club player", 2000: "strong club player", 2400: "master" };
  if (form.strength.length === 1) for (let rating = 800; rating <= 2800; rating += 200) form.strength.append(element("option", rating + " Elo" + (words[rating] ? ", " + words[rating] : ""), { value: rating }));
  if (![...form.strength].some(option => option.value === game.strength)) form.strength.append(element("option", game.strength));
  form.strength.value = game.strength;
  form.level[0].textContent = game.level;
  for (const option of form.level) option.hidden = !!option.value && option.textContent === game.level;
  form.level.value = "";
  form.side.value = seat;
  // At a limited strength every search plays alike.
  form.onchange = () => { form.preset.disabled = form.strength.value !== "max"; };
  form.onchange();
  ask("setup", () => {
    const side = form.side.value === "random" ? ["white", "black"][Math.floor(2 * Math.random())] : form.side.value;
    flipped = false;
    send({ do: "new", side, level: form.level.value, preset: form.preset.value, strength: form.strength.value });
  });
};
at("file").onchange = async () => { const [file] = at("file").files; if (file) at("paste").value = await file.text(); };
at("pgn").onclick = () => ask("exchange", async () => {
  if (!at("paste").value.trim() || await send({ do: "load", pgn: at("paste").value })) return;
  // What cannot be read stays to be corrected.
  at("pgn").click();
  at("copied").textContent = at("said").textContent;
});
async function copy(text) {
  let copied = "";
  try {
    copied = await text();
    await navigator.clipboard.writeText(copied);
    at("copied").textContent = "Copied.";
  } catch {
    if (copied) {
      at("paste").value = copied;
      at("paste").select();
    }
    at("copied").textContent = copied ? "The browser does not allow it: copy it from the box." : "Kashan does not answer.";
  }
  clearTimeout(copy.waits);
  copy.waits = setTimeout(() => { at("copied").textContent = ""; }, 3000);
}
at("copy-fen").onclick = () => copy(fenShown);
at("copy-pgn").onclick = () => copy(async () => (await fetch("game.pgn")).text());

poll();
