/** Elements from data. Words of models and users become text, never markup. */

/**
 * Make an element.
 * @param {string} name such as "button.quiet": a tag with classes
 * @param {Record<string, any>} [properties] `on…` are listeners; names with "-" and `role` are attributes; others are properties
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {any}
 */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.includes("-") || key === "role" || key === "for" || key === "list") element.setAttribute(key, String(value));
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Make an element of a drawing (SVG). */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @returns {any} the element with an id */
export const find = (id) => document.getElementById(id);

/** Write a text only if it differs: screen readers announce every change. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @returns {string} "1 agent", "2 agents" */
export const count = (number, one, several = `${one}s`) => `${number} ${number === 1 ? one : several}`;

/** @returns {(Node | string)[]} a text whose commands stand between backticks */
export const prose = (text) => text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));

/** Show a failure where it occurred, with what can be done about it; that of an outage leaves with the outage. */
export function showProblem(place, error) {
  const shown = h("p.problem", { role: "alert" }, h("strong", {}, ...prose(error.message)), ...prose(error.remedy ? ` ${error.remedy}` : ""));
  place.replaceChildren(shown);
  error.over?.then(() => shown.remove());
  if (!("remedy" in error)) console.error(error);
}

/**
 * Fill a place with what a reading gives; a later filling of the same place wins.
 * @param {HTMLElement} place
 * @param {() => Promise<(Node | string)[]>} read
 */
export function fill(place, read) {
  return occupy(place, async (isCurrent) => {
    const children = await read();
    if (isCurrent()) place.replaceChildren(...children);
  });
}

/**
 * Do something in a place that needs the server; after an outage again, unless the place has something else by then.
 * @param {HTMLElement} place
 * @param {(isCurrent: () => boolean) => any} action
 */
export async function occupy(place, action) {
  const turn = Symbol("turn");
  const isCurrent = () => turns.get(place) === turn;
  turns.set(place, turn);
  place.setAttribute("aria-busy", "true");
  if (!place.childNodes.length) place.append(h("p.quiet", {}, "Loading …"));
  try {
    await action(isCurrent);
  } catch (error) {
    if (isCurrent()) showProblem(place, error);
    error.over?.then(() => { if (isCurrent() && place.isConnected) occupy(place, action); });
  }
  if (isCurrent()) place.removeAttribute("aria-busy");
}

/** @type {WeakMap<HTMLElement, symbol>} */
const turns = new WeakMap();

/**
 * Run a command of a form: its button is off meanwhile, and its outcome stands beside it.
 * @param {HTMLElement} outcome
 * @param {HTMLButtonElement} button
 * @param {() => Promise<string | Node>} command
 */
export async function perform(outcome, button, command) {
  button.disabled = true;
  try {
    outcome.replaceChildren(await command());
  } catch (error) {
    showProblem(outcome, error);
  } finally {
    button.disabled = false;
  }
}
