/** Small helpers that make HTML elements; text never becomes markup. */

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "htmlFor", "selected"]);

/** An HTML element: `onclick` and the like are listeners, `null` children are left out. */
export function html(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) element[name] = value;
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child != null && child !== false));
  return element;
}

/** A button: `onpress` is called at a click; `attributes` beside that. */
export function button(content, onpress, attributes) {
  return html("button", { type: "button", onclick: onpress, ...attributes }, content);
}

let made = 0;

/** A name that no other element of the document has, for `id`, `for` and `aria-labelledby`. */
export function freshId(prefix) {
  made += 1;
  return `gc-${prefix}-${made}`;
}

/** A labelled control on one line: `labelled("Seed", input)`. */
export function labelled(text, control) {
  control.id ||= freshId("field");
  return html("div", { class: "field" }, html("label", { htmlFor: control.id }, text), control);
}

/** A `<select>` of `[value, text]` pairs. */
export function choice(pairs, chosen, onchange) {
  const options = pairs.map(([value, text]) => html("option", { value, selected: String(value) === String(chosen) }, text));
  return html("select", { onchange }, options);
}

/** A control for an option that the server lists. */
export function optionInput({ type, choices, least, most, default: value }, onchange) {
  if (type === "choice") return choice(choices.map((name) => [name, name]), value, onchange);
  if (type === "text") return html("input", { type: "text", value, onchange });
  return html("input", { type: "number", min: least, max: most, step: 1, value, onchange });
}

/** The values of `[option, input]` pairs by name. */
export function optionValues(inputs) {
  return Object.fromEntries(
    inputs.map(([{ name, type }, input]) => [name, type === "integer" ? Number(input.value) : input.value]),
  );
}

/** Pairs of a name and what it is, for a `<dl>`. */
export const facts = (pairs) => pairs.map(([name, what]) => html("div", null, html("dt", null, name), html("dd", null, what)));

/** A folded part of the page: `<details>` with a heading of its own. */
export function folded(title, ...children) {
  return html("details", { class: "folded" }, html("summary", null, title), html("div", { class: "inside" }, children));
}

/**
 * The base of the page's custom elements. A part is given its `session` before it enters the document; it makes its
 * content in `build()` and listens to the session by `on()` and `follow()` until it leaves.
 */
export class Part extends HTMLElement {
  connectedCallback() {
    this.leaving = new AbortController();
    this.replaceChildren();
    this.build();
  }

  disconnectedCallback() {
    this.leaving.abort();
  }

  /** The focus, after the content was replaced: on its first move, or on the part itself. */
  focusMove() {
    this.tabIndex = -1;
    (this.querySelector("[data-move], [data-play]") ?? this).focus({ preventScroll: true });
  }

  /** Call `listener(detail)` at each of the session's events of this name. */
  on(name, listener) {
    this.session.addEventListener(name, (event) => listener(event.detail), { signal: this.leaving.signal });
  }

  /** Call `listener()` now and at each of the session's events of these names, which blanks separate. */
  follow(names, listener) {
    for (const name of names.split(" ")) this.on(name, () => listener());
    listener();
  }
}

/** A part of the page by its element's name. */
export function part(name, session) {
  const element = document.createElement(name);
  element.session = session;
  return element;
}
