/** The address of a position: the part of the page's URL behind `#`. A `+` is a plus here, as in notations. */

/** `{token, game, position, moves, at, seat}`; what is missing is undefined (`seat` null: all hands). */
export function readAddress(fragment) {
  const found = {};
  for (const field of fragment.slice(fragment.indexOf("#") + 1).split("&")) {
    const split = field.indexOf("=");
    if (split < 0) continue;
    try {
      found[field.slice(0, split)] = decodeURIComponent(field.slice(split + 1));
    } catch {
      // A lone % is no address of ours.
    }
  }
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
