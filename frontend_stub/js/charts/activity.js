/** The activity of the day: one line for each agent, coloured by what it does. */

import { fill, h, svg } from "../ui/dom.js";

const TYPES = ["agents.action-began.v1", "agents.walk-began.v1", "agents.entry-tried.v1", "agents.door-knocked.v1"];
const READ_MAX = 6000;
const ROW = 15;
const LEFT = 110;
const WIDTH = 440;
const LABELS = { sleeping: "asleep", walking: "walking", talking: "talking", planned: "at an action", other: "waiting or idle" };

export function showActivity(place, app) {
  return fill(place, async () => {
    const start = app.calendar.dayStart(app.tick);
    const events = await app.api.list("/events", { type: TYPES, from: start }, READ_MAX);
    const lanes = lanesOf(events, start, app.tick);
    if (!lanes.size) return [h("p.quiet", {}, "Nothing has been done yet today.")];
    return [
      h("p.row.small", {}, ...Object.entries(LABELS).map(([kind, label]) => h("span", {}, swatch(kind), ` ${label}`))),
      drawing(app, lanes, start), table(app, lanes),
    ];
  });
}

/** @returns {Map<string, {kind: string, from: number, to: number}[]>} what each agent does, by slug */
export function lanesOf(events, start, end) {
  const lanes = new Map();
  for (const event of events) {
    const lane = lanes.get(event.stream) ?? [{ kind: "sleeping", from: start, to: end }];
    const kind = kindOf(event);
    if (lane.at(-1).kind !== kind) {
      lane.at(-1).to = event.tick;
      lane.push({ kind, from: event.tick, to: end });
    }
    lanes.set(event.stream, lane);
  }
  return new Map([...lanes].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function kindOf({ type, data }) {
  if (type !== "agents.action-began.v1") return "walking";
  if (data.asleep) return "sleeping";
  if (data.kind === "talking") return "talking";
  return data.kind === "planned" || data.kind === "user-controlled" ? "planned" : "other";
}

function swatch(kind) {
  const mark = svg("svg", { width: 11, height: 11, "aria-hidden": "true", class: "chart-key" });
  mark.append(svg("rect", { class: kind, width: 11, height: 11, rx: 2 }));
  const box = h("span.chart-box");
  box.append(mark);
  return box;
}

function drawing(app, lanes, start) {
  const height = lanes.size * ROW + 24;
  const x = (tick) => LEFT + ((tick - start) / app.calendar.dayTicks) * (WIDTH - LEFT - 8);
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": "Activity of the day; the table below has the sums" });
  [...lanes].forEach(([slug, lane], index) => {
    const y = index * ROW + 5;
    const name = svg("text", { x: LEFT - 6, y: y + 10, "text-anchor": "end" });
    name.textContent = app.nameOf(slug);
    chart.append(name, ...lane.filter((part) => part.to > part.from).map((part) => svg("rect", {
      class: part.kind, x: x(part.from).toFixed(1), y, width: Math.max(0.5, x(part.to) - x(part.from)).toFixed(1), height: ROW - 4,
    })));
  });
  for (const hour of [0, 6, 12, 18]) {
    const label = svg("text", { x: x(start + (hour / 24) * app.calendar.dayTicks), y: height - 6 });
    label.textContent = `${hour}:00`;
    chart.append(label);
  }
  return chart;
}

function table(app, lanes) {
  const minutes = (lane, kind) => Math.round(lane.filter((part) => part.kind === kind).reduce((sum, part) => sum + part.to - part.from, 0) * app.calendar.tickSeconds / 60);
  return h("details", {}, h("summary", {}, "Minutes as a table"), h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}, "Agent"), ...Object.values(LABELS).map((label) => h("th.number", {}, label)))),
    h("tbody", {}, ...[...lanes].map(([slug, lane]) => h("tr", {}, h("td", {}, app.nameOf(slug)), ...Object.keys(LABELS).map((kind) => h("td.number", {}, minutes(lane, kind))))))));
}
