// Draws a tree of branches into an SVG: the best branch straight, the others beside it, each node in the colour of the
// operator of its birth. A node is [index of its parent or -1, move, squares, operator, value, is best]; parents come
// first, and the first child of a node is its best. What was drawn before slides to its new place, what is new is lit,
// and what is gone fades.
const TREE = { column: 60, columns: 9, row: 24, rows: 5, width: 45, height: 17 };

// The column and the row of each node; rows above the best branch are negative. Without a row a node is not drawn.
function treePlaces(nodes, rowsBefore) {
  const places = [], heads = [], ends = [], taken = {};
  nodes.forEach(([parent], index) => {
    const column = parent < 0 ? 1 : places[parent].column + 1;
    const isFirst = !places.some(place => place.parent === parent);
    const head = isFirst && index ? (parent < 0 ? index : heads[parent]) : index;
    const key = (parent < 0 ? "" : places[parent].key + " ") + nodes[index][2];
    heads.push(head);
    ends[head] = column;
    places.push({ parent, column, key, row: 0 });
  });
  const isFree = (row, from, to) => (taken[row] || []).every(([begin, end]) => to < begin || from > end);
  nodes.forEach(([parent], index) => {
    if (places[index].column > TREE.columns) return (places[index].row = null);
    if (heads[index] !== index || (parent >= 0 && places[parent].row === null)) return (places[index].row = places[parent].row);
    const from = places[index].column, to = ends[index], near = parent < 0 ? 0 : places[parent].row;
    const rows = Array.from({ length: 2 * TREE.rows + 1 }, (_, i) => i - TREE.rows);
    // The nearest row to the branch that it leaves; the same as before, if that is no further. The way of the best
    // branch stays free.
    const before = rowsBefore.get(places[index].key), cost = row => Math.abs(row - near) - (row === before ? 3 : 0) + (row > near ? 0.5 : 0);
    const free = rows.filter(row => row && isFree(row, from, to)).sort((a, b) => cost(a) - cost(b));
    const row = index ? (places[index].row = free.length ? free[0] : null) : 0;
    if (row === null) return;
    (taken[row] = taken[row] || []).push([from, to]);
  });
  return places;
}

function drawTree(svg, nodes) {
  const known = svg.known || new Map();
  const rowsBefore = new Map([...known].map(([key, { row }]) => [key, row]));
  const places = treePlaces(nodes, rowsBefore);
  const x = place => TREE.column * (place.column - 0.5) + 15, y = place => TREE.row * place.row;
  svg.setAttribute("viewBox", `0 ${-TREE.row * (TREE.rows + 0.5)} ${TREE.column * TREE.columns + 12} ${TREE.row * (2 * TREE.rows + 1)}`);
  let lines = svg.querySelector(".lines");
  if (!lines) {
    svg.innerHTML = '<g class="lines"></g><circle cx="6" cy="0" r="4" fill="var(--accent)"/>';
    lines = svg.firstChild;
  }
  lines.innerHTML = places.map((place, index) => {
    if (place.row === null) return "";
    const from = place.parent < 0 ? { x: 8, y: 0 } : { x: x(places[place.parent]) + TREE.width / 2, y: y(places[place.parent]) };
    const to = { x: x(place) - TREE.width / 2, y: y(place) }, middle = (from.x + to.x) / 2;
    return `<path class="${nodes[index][5] ? "best" : ""}" d="M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}"/>`;
  }).join("");
  const now = new Map();
  places.forEach((place, index) => {
    if (place.row === null) return;
    const [, move, , operator, value, isBest] = nodes[index];
    let { node } = known.get(place.key) || {};
    if (!node) {
      node = document.createElementNS(svg.namespaceURI, "g");
      node.innerHTML = `<title></title><rect x="${-TREE.width / 2}" y="${-TREE.height / 2}" width="${TREE.width}" height="${TREE.height}" rx="5"/><text y="4"></text>`;
      node.querySelector("text").textContent = move;
      svg.append(node);
      if (known.size) node.classList.add("born");
    }
    node.setAttribute("class", `${operator} ${isBest ? "best" : ""} ${node.classList.contains("born") ? "born" : ""}`);
    node.firstChild.textContent = move + (value ? ", value " + value : "") + (operator === "initial" ? ", there from the start" : ", born by " + operator);
    node.style.transform = `translate(${x(place)}px, ${y(place)}px)`;
    node.dataset.index = index;
    now.set(place.key, { node, row: place.row });
  });
  for (const [key, { node }] of known) {
    if (now.has(key)) continue;
    node.classList.add("gone");
    setTimeout(() => node.remove(), 600);
  }
  svg.known = now;
  const best = nodes.filter(node => node[5]).map(node => node[1]), others = nodes.filter((node, index) => index && node[0] < 0);
  svg.setAttribute("aria-label", `A tree of ${nodes.length} moves. The best branch: ${best.join(" ")}. Other first moves: ${others.map(node => node[1] + " " + node[4]).join(", ")}.`);
}

// Forgets what was drawn: another search begins.
function clearTree(svg) {
  svg.innerHTML = "";
  delete svg.known;
}
