/** Plots as SVG: lines over a logarithmic scale with their names at their ends. */

import { html, svg } from "./dom.js";

const WIDTH = 420;
const HEIGHT = 230;
const LEFT = 46;
const RIGHT = 84;
const TOP = 12;
const BOTTOM = 36;

/** A line chart, y logarithmic: `lines` is `[{name, points: [[x, y], ..]}]` with y above 0. */
export function chart({ title, x, y, lines }) {
  const points = lines.flatMap((line) => line.points);
  const [least, most] = [Math.min(...points.map(([px]) => px)), Math.max(...points.map(([px]) => px))];
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(...points.map(([, py]) => py)))));
  const across = (px) => LEFT + ((px - least) / Math.max(1, most - least)) * (WIDTH - LEFT - RIGHT);
  const down = (py) => TOP + (1 - Math.log10(py) / decades) * (HEIGHT - TOP - BOTTOM);
  const shown = lines.filter((line) => line.points.length);
  return html(
    "figure",
    { class: "chart" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
      grid(decades, down),
      [least, most].map((px) =>
        svg("text", { class: "tick", x: across(px), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle" }, px),
      ),
      svg("text", { class: "tick", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, x),
      shown.map((line) => curve(line, lines.indexOf(line), across, down)),
      names(shown, lines, across, down),
    ),
    html("figcaption", null, `${title} (${y}, logarithmic)`),
  );
}

function grid(decades, down) {
  const step = Math.ceil(decades / 5);
  const marks = [];
  for (let power = 0; power <= decades; power += step) {
    const y = down(10 ** power);
    marks.push(svg("path", { class: "grid", d: `M${LEFT} ${y}H${WIDTH - RIGHT}` }));
    const text = power < 4 ? String(10 ** power) : `1e${power}`;
    marks.push(svg("text", { class: "tick", x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text));
  }
  return marks;
}

function curve(line, number, across, down) {
  const points = line.points.map(([px, py]) => `${across(px)},${down(py)}`).join(" ");
  return svg("polyline", { class: `curve curve-${number}`, points });
}

/** Each line's name beside its end, moved apart where ends are close. */
function names(shown, lines, across, down) {
  const ends = shown.map((line) => ({ line, x: across(line.points.at(-1)[0]), y: down(line.points.at(-1)[1]) }));
  ends.sort((a, b) => a.y - b.y);
  for (let k = 1; k < ends.length; k += 1) ends[k].y = Math.max(ends[k].y, ends[k - 1].y + 15);
  const over = ends.length ? Math.max(0, ends.at(-1).y - (HEIGHT - BOTTOM + 4)) : 0;
  return ends.map(({ line, x, y }) =>
    svg("text", { class: `name curve-${lines.indexOf(line)}`, x: x + 6, y: y + 4 - over }, line.name),
  );
}
