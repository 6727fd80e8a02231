// A position as the inside of an SVG: squares of 40 units, the names of files and ranks outside. `marks` gives
// squares other classes than light and dark.
function boardOf(fen, flipped, marks) {
  let grounds = "", pieces = "", names = "";
  fen.split(" ")[0].split("/").forEach((rank, row) => {
    const cells = [...rank.replace(/\d/g, count => " ".repeat(count))];
    cells.forEach((piece, file) => {
      const x = 40 * (flipped ? 7 - file : file), y = 40 * (flipped ? 7 - row : row);
      const name = "abcdefgh"[file] + (8 - row);
      const ground = marks[name] || ((file + row) % 2 ? "dark" : "light");
      grounds += `<rect x="${x}" y="${y}" width="40" height="40" class="${ground}" data-square="${name}"/>`;
      if (piece === " ") return;
      const side = piece === piece.toUpperCase() ? "w" : "b";
      pieces += `<use href="#${piece.toLowerCase()}" x="${x}" y="${y}" width="40" height="40" class="${side}" data-on="${name}"/>`;
    });
  });
  for (let i = 0; i < 8; i++) {
    const place = flipped ? 7 - i : i;
    names += `<text x="${40 * place + 20}" y="333">${"abcdefgh"[i]}</text><text x="-8" y="${40 * place + 24}">${8 - i}</text>`;
  }
  return grounds + pieces + names;
}
