const at = id => document.getElementById(id);
const PIECE_NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
let game = null, live = null, failures = 0;
// The half-move after which the board is shown; null for the newest position.
let view = null;
let flipped = false, chosen = null, cursor = null, pressed = null;

const shown = () => (view === null ? game.moves.length : view);
const newest = () => view === null || view === game.moves.length;
const lowerIsBlack = () => (game.kashan === "White") !== flipped;
const mine = () => newest() && !live.thinks && !game.ending && game.turn !== game.kashan;
const limited = () => game.strength !== "max";
const grouped = number => number.toLocaleString("en");

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  return made;
}

// What stands on a square: "white knight", or nothing.
function pieceOn(square) {
  const rank = game.fens[shown()].split(" ")[0].split("/")[8 - square[1]].replace(/\d/g, count => " ".repeat(count));
  const piece = rank["abcdefgh".indexOf(square[0])];
  return piece === " " ? "" : (piece === piece.toUpperCase() ? "white " : "black ") + PIECE_NAMES[piece.toLowerCase()];
}

const targets = () => game.legal.filter(move => chosen && mine() && move.startsWith(chosen)).map(move => move.slice(2, 4));
const middle = square => {
  const [file, rank] = ["abcdefgh".indexOf(square[0]), square[1] - 1];
  return lowerIsBlack() ? [40 * (7 - file) + 20, 40 * rank + 20] : [40 * file + 20, 40 * (7 - rank) + 20];
};

function drawBoard() {
  const marks = {}, last = game.moves[shown() - 1];
  if (last) for (const square of [last.uci.slice(0, 2), last.uci.slice(2, 4)]) marks[square] = "moved";
  if (newest() && game.check) marks[game.check] = "check";
  if (chosen) marks[chosen] = "chosen";
  let inside = boardOf(game.fens[shown()], lowerIsBlack(), marks);
  for (const square of new Set(targets())) {
    const [x, y] = middle(square);
    inside += pieceOn(square) ? `<circle class="take" cx="${x}" cy="${y}" r="17"/>` : `<circle class="target" cx="${x}" cy="${y}" r="6"/>`;
  }
  if (cursor) {
    const [x, y] = middle(cursor);
    inside += `<rect class="cursor" x="${x - 18.5}" y="${y - 18.5}" width="37" height="37"/>`;
  }
  at("squares").innerHTML = inside;
}

function drawArrows() {
  const search = live.search;
  const fits = search && live.thinks && newest() && search.fen === game.fens[shown()];
  let inside = "";
  (fits ? search.arrows : []).forEach((move, rank) => {
    const [x1, y1] = middle(move.slice(0, 2)), [x2, y2] = middle(move.slice(2, 4));
    const length = Math.hypot(x2 - x1, y2 - y1), width = [6, 4.5, 3.5][rank];
    const end = 1 - width * 1.2 / length;
    inside += `<line x1="${x1}" y1="${y1}" x2="${x1 + (x2 - x1) * end}" y2="${y1 + (y2 - y1) * end}" stroke-width="${width}" marker-end="url(#head)"/>`;
  });
  at("arrows").innerHTML = inside;
}

function drawGame() {
  for (const [id, side] of [["upper", lowerIsBlack() ? "White" : "Black"], ["lower", lowerIsBlack() ? "Black" : "White"]]) {
    at(id).textContent = side + (game.kashan === side ? " (Kashan)" : "");
    at(id).parentNode.classList.toggle("turn", !game.ending && game.turn === side);
    at(id).parentNode.dataset.side = side;
  }
  at("said").textContent = game.said.join("\n");
  const list = at("moves");
  list.textContent = "";
  game.moves.forEach((move, index) => {
    const [, turn, , , , number] = game.fens[index].split(" ");
    if (turn === "w" || !index) {
      list.append(element("li", ""));
      list.lastChild.append(element("span", number + "."));
      if (turn === "b") list.lastChild.append(element("span", "…"));
    }
    const button = element("button", move.san, { "data-ply": index + 1 });
    if (move.value) button.title = "value " + move.value[1];
    if (shown() === index + 1) button.setAttribute("aria-current", "true");
    list.lastChild.append(button);
  });
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.parentNode.offsetTop - list.offsetTop - 100;
  drawValues();
  const last = game.moves[shown() - 1];
  at("explain").hidden = !(last && last.page);
  at("explain").href = "explain/" + (shown() - 1);
  at("explain").textContent = last ? "Why " + last.san + "?" : "";
  at("shown").textContent = newest() ? (limited() ? game.strength + " Elo, " : "preset " + game.preset + ", ") + game.level : "after " + shown() + " of " + game.moves.length + " half-moves";
  at("undo").disabled = !game.moves.length;
  at("resume").hidden = !game.resumable;
  at("quit").hidden = false;
  at("stockfish").hidden = !game.stockfish;
  at("comments").hidden = !game.comments;
  if (at("reviewed").textContent !== (game.review || "")) {
    at("reviewed").textContent = game.review || "";
    if (game.review) at("reviewed").scrollIntoView({ block: "nearest" });
  }
  drawBoard();
}

// The value over the game: up is good for White; what decides is not drawn any higher.
function drawValues() {
  const points = game.moves.flatMap((move, index) => (move.value ? [[index + 1, move.value]] : []));
  const x = ply => 300 * ply / Math.max(game.moves.length, 20), y = value => 40 - 38 * (2 / (1 + Math.exp(-value / 200)) - 1);
  const line = points.map(([ply, value]) => `${x(ply)},${y(value[0])}`).join(" ");
  const ends = points.length ? [x(points[0][0]), x(points[points.length - 1][0])] : [0, 0];
  at("values").innerHTML = `<polygon points="${ends[0]},40 ${line} ${ends[1]},40"/><line x1="0" x2="300" y1="40" y2="40"/><polyline points="${line}"/>`;
  const last = points.length ? "; last " + points[points.length - 1][1][1] : "";
  at("values").setAttribute("aria-label", "What the game was worth, for White" + last);
}

function clock(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000), pad = number => String(number).padStart(2, "0");
  if (milliseconds < 10000) return "0:0" + (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const hours = Math.floor(seconds / 3600);
  return (hours ? hours + ":" + pad(Math.floor(seconds / 60) % 60) : Math.floor(seconds / 60)) + ":" + pad(seconds % 60);
}

function levels(branches) {
  const all = branches.map(branch => branch.k), [least, most] = [Math.min(...all), Math.max(...all)];
  return !all.length ? "" : least === most ? least : least + " to " + most;
}

function drawLive() {
  for (const place of ["upper", "lower"]) {
    const side = at(place).parentNode.dataset.side;
    at(place + "-clock").textContent = live.clocks ? clock(live.clocks[side === "White" ? 0 : 1]) : "";
  }
  at("status").textContent = game.ending || (live.reviews ? "Looking back at the game." : live.thinks ? "Kashan is thinking." : game.turn === game.kashan ? "Kashan is to move." : game.turn + " to move" + (game.kashan ? ": your turn." : "."));
  at("now").hidden = !live.thinks;
  at("now").textContent = live.reviews ? "Stop" : "Move now";
  at("review").disabled = at("stockfish").disabled = live.thinks || !game.moves.length;
  at("go").hidden = live.thinks || !!game.ending;
  at("hint").disabled = at("draw").disabled = at("resign").disabled = live.thinks || !!game.ending;
  const search = live.search;
  at("what").textContent = !search ? "appears here when Kashan thinks" : live.thinks ? "at work" : "that was the last one";
  if (!search) return;
  const best = at("best");
  best.textContent = search.line;
  best.prepend(element("b", search.value));
  const bred = search.genetic, seconds = search.milliseconds / 1000;
  const few = limited() && bred && bred.generation < 3 ? "At " + game.strength + " Elo it has so few positions for a move that hardly a branch is born. " : "";
  const drawn = search.draw.map(move => move.san + " " + move.percent + " % (" + move.value + ")").join(", ");
  at("drawn").textContent = few + (drawn ? "The move was drawn among " + drawn + "." : "");
  const rows = bred ? [["Generation", bred.generation], ["Crossover", bred.crossovers, "born"], ["Mutation", bred.mutations, "born"], ["Growth", bred.growths, "born"], ["H", bred.height, "height of the tree"], ["K", levels(bred.branches), "of the branches below"], ["P", bred.population, "branches breed"]] : [];
  rows.push(["Depth", search.depth], ["Positions", search.nodes], ["A second", Math.round(search.nodes / Math.max(seconds, 0.05))], ["Seconds", seconds.toFixed(1)]);
  at("figures").replaceChildren(...rows.map(([name, value, about]) => {
    const cell = element("div", "", about ? { title: about } : {});
    cell.append(element("dt", name), element("dd", typeof value === "number" ? grouped(value) : value));
    return cell;
  }));
  at("branches").tBodies[0].replaceChildren(...(bred ? bred.branches : []).map(branch => {
    const row = element("tr", "");
    row.append(element("td", branch.k), element("td", branch.fitness), element("td", branch.value), element("td", branch.line, { class: "words", title: branch.line }));
    return row;
  }));
  const most = Math.max(0.1, ...(bred ? bred.efforts.map(effort => effort.share) : []));
  at("efforts").replaceChildren(...(bred ? bred.efforts : []).map(effort => {
    const row = element("li", "", { title: effort.san + ": " + effort.share + " %, value " + effort.value });
    const bar = element("i", "");
    bar.style.width = 100 * effort.share / most + "%";
    const cell = element("span", "");
    cell.append(bar);
    row.append(element("span", effort.san), cell, element("span", effort.share >= 10 ? Math.round(effort.share) + " %" : effort.share.toFixed(1)));
    return row;
  }));
}

// ---- What comes from Kashan, and what goes there ----

function take(state) {
  // An answer may have been overtaken.
  if (state.game && game && state.game.version < game.version) return;
  // Two answers may bring the same game: the second must not take away what the page has said since.
  const isNew = state.game && (!game || state.game.version !== game.version);
  const said = at("said").textContent, saysOther = isNew && (!game || game.said.join() !== state.game.said.join());
  if (isNew) {
    if (!game || state.game.moves.length !== game.moves.length || state.game.fens[0] !== game.fens[0]) [view, chosen] = [null, null];
    game = state.game;
  }
  live = state.live;
  if (isNew) drawGame();
  // Nor must a game in which something else changed while a piece is held.
  if (chosen && !saysOther) at("said").textContent = said;
  drawLive();
  drawArrows();
}

async function poll() {
  try {
    const answer = await fetch("state?game=" + (game ? game.version : 0));
    if (!answer.ok) throw new Error(answer.statusText);
    take(await answer.json());
    failures = 0;
  } catch {
    failures++;
    if (failures > 5) return ended();
  }
  setTimeout(poll, document.hidden ? 1000 : live && live.thinks ? 100 : 300);
}

function ended() {
  at("status").textContent = "Kashan has ended; \"kashan play --web --resume\" goes on with the game.";
  for (const button of document.querySelectorAll("button")) button.disabled = true;
}

async function send(action) {
  try {
    const answer = await fetch("do", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(action) });
    if (answer.ok) take(await answer.json());
    else at("said").textContent = await answer.text();
  } catch {
    failures++;
  }
}

const playText = text => send({ do: "move", text, ply: game.moves.length });

// Plays a move between two squares, and asks what a pawn becomes. False if there is none.
function play(from, to) {
  const moves = game.legal.filter(move => move.startsWith(from + to));
  if (!mine() || !moves.length) return false;
  chosen = null;
  if (moves.length === 1) playText(moves[0]);
  else {
    const dialog = at("promotion"), side = game.turn === "White" ? "w" : "b";
    dialog.replaceChildren(element("p", "Promote to"), element("div", "", { class: "buttons" }));
    for (const piece of "qrbn") {
      const button = element("button", "", { "aria-label": PIECE_NAMES[piece], "data-piece": piece });
      button.innerHTML = `<svg viewBox="0 0 40 40" aria-hidden="true"><use href="#${piece}" class="${side}"/></svg>`;
      button.onclick = () => { dialog.close(); playText(from + to + piece); };
      dialog.lastChild.append(button);
    }
    dialog.showModal();
  }
  drawBoard();
  return true;
}

// A square was clicked, or chosen with the keyboard.
function pick(square) {
  if (chosen && chosen !== square && play(chosen, square)) return;
  const isOwn = mine() && pieceOn(square).startsWith(game.turn.toLowerCase());
  const before = chosen;
  chosen = isOwn && chosen !== square ? square : null;
  drawBoard();
  if (cursor) at("said").textContent = chosen ? pieceOn(square) + " picked up" : before ? "let go" : "nothing to pick up";
}

// ---- Mouse, touch and keys ----

const board = at("board");
const squareAt = event => {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  return under && under.dataset.square;
};
board.addEventListener("pointerdown", event => {
  const square = squareAt(event);
  if (!game || !square || event.button) return;
  cursor = null;
  pressed = { square, x: event.clientX, y: event.clientY, was: chosen === square };
  if (!(chosen && chosen !== square && targets().includes(square)) && !pressed.was) pick(square);
});
board.addEventListener("pointermove", event => {
  if (!pressed || chosen !== pressed.square || event.pointerType === "touch") return;
  const piece = board.querySelector(`[data-on="${chosen}"]`), scale = 344 / board.getBoundingClientRect().width;
  piece.setAttribute("transform", `translate(${(event.clientX - pressed.x) * scale} ${(event.clientY - pressed.y) * scale})`);
  piece.parentNode.append(piece);
});
addEventListener("pointerup", event => {
  const square = pressed && squareAt(event), from = pressed;
  pressed = null;
  if (!from) return;
  if (square === from.square) {
    if (from.was || chosen !== square) pick(square);
    else drawBoard();
  } else if (!(chosen === from.square && square && play(chosen, square))) drawBoard();
});
addEventListener("pointercancel", () => { pressed = null; });
board.addEventListener("keydown", event => {
  const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (step) {
    const turn = lowerIsBlack() ? -1 : 1, [file, rank] = cursor ? ["abcdefgh".indexOf(cursor[0]), +cursor[1]] : turn > 0 ? [4, 2] : [4, 7];
    const to = cursor ? [file + turn * step[0], rank + turn * step[1]] : [file, rank];
    if (to[0] >= 0 && to[0] < 8 && to[1] > 0 && to[1] < 9) cursor = "abcdefgh"[to[0]] + to[1];
    drawBoard();
    at("said").textContent = cursor + (pieceOn(cursor) ? ", " + pieceOn(cursor) : "") + (targets().includes(cursor) ? ", can be reached" : "");
  } else if ((event.key === "Enter" || event.key === " ") && cursor) pick(cursor);
  else if (event.key === "Escape") {
    if (chosen) at("said").textContent = "let go";
    else cursor = null;
    chosen = null;
    drawBoard();
  }
  else return;
  event.preventDefault();
});

at("typed").addEventListener("submit", event => {
  event.preventDefault();
  if (at("text").value.trim()) playText(at("text").value.trim());
  at("text").value = "";
});
for (const id of ["undo", "hint", "now", "go", "draw", "resume"]) at(id).onclick = () => send({ do: id });
at("review").onclick = () => send({ do: "review", stockfish: false });
at("stockfish").onclick = () => send({ do: "review", stockfish: true });
at("resign").onclick = () => confirm("Resign?") && send({ do: "resign" });
at("quit").onclick = async () => { await send({ do: "quit" }); failures = 9; ended(); };
at("flip").onclick = () => { flipped = !flipped; drawGame(); drawLive(); drawArrows(); };
function show(ply) {
  view = ply < 0 || ply >= game.moves.length ? (ply < 0 ? 0 : null) : ply;
  chosen = null;
  drawGame();
  drawArrows();
}
at("moves").addEventListener("click", event => event.target.dataset.ply && show(+event.target.dataset.ply));
at("first").onclick = () => show(0);
at("back").onclick = () => show(shown() - 1);
at("forth").onclick = () => show(shown() + 1);
at("last").onclick = () => show(game.moves.length);

// Opens a dialog, and does something with its answer.
function ask(id, answered) {
  const dialog = at(id);
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue && answered(dialog.querySelector("form"));
  dialog.showModal();
}
at("new").onclick = () => {
  const form = at("setup").querySelector("form");
  form.preset.replaceChildren(...game.presets.map(preset => element("option", preset)));
  form.preset.value = game.preset;
  if (form.strength.length === 1) for (let rating = 800; rating <= 2800; rating += 200) form.strength.append(element("option", rating));
  if (![...form.strength].some(option => option.value === game.strength)) form.strength.append(element("option", game.strength));
  form.strength.value = game.strength;
  form.level[0].textContent = game.level;
  form.level.value = "";
  // At a limited strength every preset plays alike.
  form.onchange = () => { form.preset.disabled = form.strength.value !== "max"; };
  form.onchange();
  ask("setup", () => {
    const side = form.side.value === "random" ? ["white", "black"][Math.floor(2 * Math.random())] : form.side.value;
    flipped = false;
    send({ do: "new", side, level: form.level.value, preset: form.preset.value, strength: form.strength.value });
  });
};
at("file").onchange = async () => { const [file] = at("file").files; if (file) at("paste").value = await file.text(); };
at("pgn").onclick = () => ask("exchange", () => at("paste").value.trim() && send({ do: "load", pgn: at("paste").value }));

poll();
