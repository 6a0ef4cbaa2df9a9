/** The address of a position: the part of the page's URL behind `#`. A `+` is a plus here, as in notations. */

/** `{token, game, position, moves, at, seat}`; what is missing is undefined (`seat` null: all hands). */
export function readAddress(fragment) {
  const found = Object.fromEntries(new URLSearchParams(fragment.slice(fragment.indexOf("#") + 1).replaceAll("+", "%2B")));
  const { token, game, position } = found;
  const moves = found.moves ? found.moves.split(",") : [];
  const at = /^\d+$/.test(found.at ?? "") ? Number(found.at) : undefined;
  const seat = found.seat === "all" ? null : /^\d+$/.test(found.seat ?? "") ? Number(found.seat) : undefined;
  return { token, game, position, moves, at, seat };
}

/** The fragment, with `#`, of what `readAddress` reads, without the token. `seat` is undefined in games without seats. */
export function writeAddress({ game, position, moves, at, seat }) {
  const fields = [["game", game], ["position", position]];
  if (moves.length) fields.push(["moves", moves.join(",")]);
  if (at !== moves.length) fields.push(["at", String(at)]);
  if (seat !== undefined) fields.push(["seat", seat === null ? "all" : String(seat)]);
  return "#" + fields.map(([name, value]) => `${name}=${value.replace(/[%&#"'\s]/g, encodeURIComponent)}`).join("&");
}
