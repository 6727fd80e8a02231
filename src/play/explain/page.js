const at = id => document.getElementById(id);
const node = index => at("n" + index);

function way(index) {
  const all = [];
  for (let i = index; i >= 0; i = NODES[i].p) all.unshift(i);
  return all;
}

// White is below, unless the page is opened for Black.
const FLIPPED = location.search === "?black";
let chosen = -1;
function choose(index) {
  if (index === chosen) return;
  if (chosen >= 0) node(chosen).classList.remove("chosen");
  chosen = index;
  node(index).classList.add("chosen");
  const { f, s, t } = NODES[index];
  const moved = Object.fromEntries([s.slice(0, 2), s.slice(2, 4)].map(square => [square, "moved"]));
  at("board").innerHTML = boardOf(f, FLIPPED, moved);
  at("about").textContent = t;
  at("fen").textContent = f;
  const path = at("path");
  path.textContent = "";
  for (const i of way(index)) {
    const link = document.createElement("a");
    link.href = "#n" + i;
    link.textContent = NODES[i].m;
    path.append(link, " ");
  }
}

// Shows a node wherever it is: opens what it lies in.
function reveal(index) {
  for (const i of way(index).slice(0, -1)) node(i).open = true;
  choose(index);
  const line = node(index).querySelector("summary") || node(index);
  line.scrollIntoView({ block: "center" });
  line.focus({ preventScroll: true });
}

const numberOf = id => (/^#?n\d+$/.test(id) ? +id.replace(/\D/g, "") : -1);
function follow(id) {
  const index = numberOf(id);
  if (index >= 0 && index < NODES.length) reveal(index);
}

document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#n']");
  if (link) {
    event.preventDefault();
    history.replaceState(null, "", link.getAttribute("href"));
    follow(link.getAttribute("href"));
  }
});
for (const kind of ["click", "focusin"]) {
  at("tree").addEventListener(kind, event => {
    const line = event.target.closest("summary, .leaf");
    if (line) choose(numberOf(line.id || line.parentNode.id));
  });
}
at("best").addEventListener("click", () => {
  let best = 0, next = 0;
  while (next >= 0) {
    best = next;
    next = NODES.findIndex((other, i) => other.p === best && node(i).querySelector(".move").classList.contains("best"));
  }
  reveal(best);
});
at("close").addEventListener("click", () => {
  for (const open of document.querySelectorAll("#tree details[open]")) open.open = open.id === "n0";
  reveal(0);
});
addEventListener("hashchange", () => follow(location.hash));

drawTree(at("drawing"), DRAWN);
at("drawing").addEventListener("click", event => {
  const drawn = event.target.closest("[data-index]");
  if (drawn) reveal(DRAWN[drawn.dataset.index][6]);
});

choose(0);
follow(location.hash);
