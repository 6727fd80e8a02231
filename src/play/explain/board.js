// A position as the inside of an SVG: squares of 40 units, the names of files and ranks in the corners. `marks` gives
// squares further classes.
function boardOf(fen, flipped, marks) {
  let grounds = "", pieces = "", names = "";
  fen.split(" ")[0].split("/").forEach((rank, row) => {
    const cells = [...rank.replace(/\d/g, count => " ".repeat(count))];
    cells.forEach((piece, file) => {
      const x = 40 * (flipped ? 7 - file : file), y = 40 * (flipped ? 7 - row : row);
      const name = "abcdefgh"[file] + (8 - row), shade = (file + row) % 2 ? "dark" : "light";
      grounds += `<rect x="${x}" y="${y}" width="40" height="40" class="${shade} ${marks[name] || ""}" data-square="${name}"/>`;
      if (y === 280) names += `<text x="${x + 37.2}" y="318" class="${shade === "dark" ? "light" : "dark"}" text-anchor="middle">${name[0]}</text>`;
      if (x === 0) names += `<text x="3" y="${y + 7.2}" class="${shade === "dark" ? "light" : "dark"}" text-anchor="middle">${name[1]}</text>`;
      if (piece === " ") return;
      const side = piece === piece.toUpperCase() ? "w" : "b";
      pieces += `<use href="#${side}${piece.toLowerCase()}" x="${x + 1}" y="${y + 1}" width="38" height="38" data-on="${name}"/>`;
    });
  });
  return grounds + names + pieces;
}
