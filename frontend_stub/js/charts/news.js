/** The spread of a piece of news: the time at which each agent first remembered it, and its source. */

import { fill, h, svg } from "../ui/dom.js";
import { momentOf } from "../town/calendar.js";

const ROW = 22;
const WIDTH = 420;
const LEFT = 120;

export function showNews(place, app) {
  const words = h("input", { type: "search", required: true, value: lastWords, placeholder: "party", "aria-label": "Words of the news" });
  words.style.flex = "1";
  const result = h("div");
  const read = () => {
    lastWords = words.value.trim();
    fill(result, async () => spread(app, await app.api.list("/memories", { search: lastWords, order: "created_at" }, 1500)));
  };
  place.replaceChildren(
    h("p.quiet.small", {}, "Name words that stand in memories of the news, such as “party” or “mayor”."),
    h("form.row", { onsubmit: (event) => { event.preventDefault(); read(); } }, words, h("button", { type: "submit" }, "Show")), result);
  if (lastWords) read();
}

let lastWords = "party";

/** @returns {{agent: string, tick: number, memory: any, from: string}[]} the first memory of each agent, the earliest first */
export function firstMemories(memories) {
  const first = new Map();
  for (const memory of memories) if (!first.has(memory.agent)) first.set(memory.agent, memory);
  return [...first.values()].map((memory) => ({
    agent: memory.agent, tick: memory.created_tick, memory, from: memory.kind === "dialogue" && first.has(memory.subject) ? memory.subject : "",
  })).sort((one, other) => one.tick - other.tick);
}

function spread(app, memories) {
  const rows = firstMemories(memories);
  if (!rows.length) return [h("p.quiet", {}, "No memory has these words.")];
  return [
    h("p", {}, `${rows.length} of ${app.town.agents.size} agents know of it.`),
    drawing(app, rows),
    h("h3", {}, "In words"),
    h("ol.list", {}, ...rows.map(({ agent, memory, from }) => h("li", {},
      h("time", {}, momentOf(memory.created_at)), " ", h("button.quiet", { type: "button", onclick: () => app.select("agent", agent) }, app.nameOf(agent)),
      from ? h("span.quiet.small", {}, ` from ${app.nameOf(from)}`) : null, h("p.small", {}, memory.description)))),
  ];
}

function drawing(app, rows) {
  const height = rows.length * ROW + 34;
  const start = app.calendar.dayStart(rows.find((row) => row.tick > 1)?.tick ?? 0);
  const end = Math.max(app.tick, start + 1);
  const x = (tick) => LEFT + ((Math.max(tick, start) - start) / (end - start)) * (WIDTH - LEFT - 16);
  const y = new Map(rows.map((row, index) => [row.agent, index * ROW + 18]));
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": "When each agent first remembered it; the list below has the same content" });
  for (const row of rows) {
    const name = svg("text", { x: LEFT - 8, y: y.get(row.agent) + 4, "text-anchor": "end" });
    name.textContent = app.nameOf(row.agent);
    chart.append(name, svg("line", { class: "axis", x1: LEFT, x2: WIDTH - 16, y1: y.get(row.agent), y2: y.get(row.agent) }));
  }
  for (const row of rows.filter((each) => each.from)) {
    chart.append(svg("path", { class: "spread", d: `M${x(row.tick)},${y.get(row.from)} L${x(row.tick)},${y.get(row.agent)}` }));
  }
  for (const row of rows) chart.append(svg("circle", { class: "node", cx: x(row.tick), cy: y.get(row.agent), r: 5 }));
  for (const [tick, anchor] of [[start, "start"], [end, "end"]]) {
    const label = svg("text", { x: x(tick), y: height - 6, "text-anchor": anchor });
    label.textContent = momentOf(app.calendar.isoAt(tick));
    chart.append(label);
  }
  return chart;
}
