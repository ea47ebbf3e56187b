/** What the simulation costs: calls, tokens and money, by task. */

import { fill, h } from "../ui/dom.js";

const number = new Intl.NumberFormat("en");

export function showCosts(place, app) {
  return fill(place, async () => {
    const [costs, outcomes] = await Promise.all([app.api.read("/costs"), app.api.read("/model-calls/outcomes")]);
    const { total } = costs;
    const kept = outcomes.total.kept_share;
    const figure = (label, value) => h("div", {}, h("span.quiet.small", {}, label), h("b", {}, value));
    const rows = [...(costs.by_task ?? [])].sort((one, other) => other.prompt_tokens + other.completion_tokens - one.prompt_tokens - one.completion_tokens);
    return [
      h("div.figures", {}, figure("model calls", number.format(total.calls)), figure("prompt tokens", number.format(total.prompt_tokens)),
        figure("answer tokens", number.format(total.completion_tokens)), figure("cost", total.cost ? total.cost.toFixed(2) : "0"),
        figure("answers done as given", kept === null ? "–" : `${(kept * 100).toFixed(1)} %`)),
      h("h3", {}, "By task"),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Task"), h("th.number", {}, "Calls"), h("th.number", {}, "Tokens"), h("th.number", {}, "Cost"))),
        h("tbody", {}, ...rows.map((row) => h("tr", {}, h("td", {}, row.key), h("td.number", {}, number.format(row.calls)),
          h("td.number", {}, number.format(row.prompt_tokens + row.completion_tokens)), h("td.number", {}, row.cost ? row.cost.toFixed(4) : "0"))))),
    ];
  });
}
