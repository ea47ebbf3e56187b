/** Charts of the simulation: who talks with whom, how news spreads, the activity of the day, and what it costs. */

import { h } from "../ui/dom.js";
import { showActivity } from "../charts/activity.js";
import { showCosts } from "../charts/costs.js";
import { showGraph } from "../charts/graph.js";
import { showNews } from "../charts/news.js";
import { showPlots } from "../charts/plots.js";

const CHARTS = [
  { id: "graph", label: "Conversations", show: showGraph },
  { id: "news", label: "Spread of news", show: showNews },
  { id: "activity", label: "Activity", show: showActivity },
  { id: "costs", label: "Cost", show: showCosts },
  { id: "plots", label: "Plots", show: showPlots },
];
let current = "graph";

/** Charts are read when they are opened, and again with the button. */
export function openCharts(panel, app) {
  const place = h("div");
  const show = (id) => {
    current = id;
    for (const button of chips.querySelectorAll("[data-chart]")) button.setAttribute("aria-pressed", String(button.dataset.chart === id));
    place.replaceChildren();
    CHARTS.find((chart) => chart.id === id).show(place, app);
  };
  const chips = h("div.chips", { role: "group", "aria-label": "Charts" }, ...CHARTS.map(({ id, label }) => {
    const button = h("button.chip", { type: "button", "aria-pressed": "false", onclick: () => show(id) }, label);
    button.dataset.chart = id;
    return button;
  }), h("button.chip.quiet", { type: "button", onclick: () => show(current) }, "Read again"));
  panel.replaceChildren(h("h2.hidden", {}, "Charts"), chips, place);
  if (app.api) show(current);
}
