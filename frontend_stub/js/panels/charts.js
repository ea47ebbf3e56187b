/** Charts of the simulation: who talks with whom, how news spreads, the activity of the day, and what it costs. */

import { h } from "../ui/dom.js";

/** @typedef {{id: string, label: string, show: (place: HTMLElement, app: import("../app.js").App) => any}} Chart */

let current = "graph";

/** Charts are read when they are opened, and again with the button. */
export function openCharts(panel, app, charts) {
  const place = h("div");
  const show = (id) => {
    current = id;
    for (const button of chips.querySelectorAll("[data-chart]")) button.setAttribute("aria-pressed", String(button.dataset.chart === id));
    place.replaceChildren();
    charts.find((chart) => chart.id === id).show(place, app);
  };
  const chips = h("div.chips", { role: "group", "aria-label": "Charts" }, ...charts.map(({ id, label }) => {
    const button = h("button.chip", { type: "button", "aria-pressed": "false", onclick: () => show(id) }, label);
    button.dataset.chart = id;
    return button;
  }), h("button.chip.quiet", { type: "button", onclick: () => show(current) }, "Read again"));
  panel.replaceChildren(h("h2.hidden", {}, "Charts"), chips, place);
  if (app.api) show(current);
}
