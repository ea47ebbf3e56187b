/** The memory stream of an agent: filters by kind and order, search by words, and retrieval by meaning with scores. */

import { fill, h } from "../ui/dom.js";
import { momentOf } from "../town/calendar.js";
import { scoredMemory, whyButton } from "./why.js";

const KINDS = ["observation", "dialogue", "plan", "reflection"];

export function openMemories(place, app, slug) {
  const query = h("input", { type: "search", placeholder: "What comes to mind for …", "aria-label": "Rank memories for" });
  const words = h("input", { type: "search", placeholder: "with these words", "aria-label": "Words in the memory" });
  const kind = h("select", { "aria-label": "Kind of memory" }, h("option", { value: "" }, "all kinds"), ...KINDS.map((each) => h("option", { value: each }, each)));
  const order = h("select", { "aria-label": "Order" }, h("option", { value: "-created_at" }, "newest first"), h("option", { value: "-importance" }, "most important first"), h("option", { value: "-last_retrieved_at" }, "last retrieved first"));
  const ranked = h("div");
  const stream = h("div");
  const read = () => fill(stream, async () => {
    const found = await app.api.read(`/agents/${slug}/memories`, { limit: 60, kind: kind.value, order: order.value, search: words.value });
    if (!found.results.length) return [h("p.quiet", {}, "No memory fits.")];
    return [h("ol.list", {}, ...found.results.map((memory) => memoryRow(app, slug, memory)))];
  });
  const form = h("form.row", { role: "search", onsubmit: (event) => {
    event.preventDefault();
    if (!query.value.trim()) { ranked.replaceChildren(); return; }
    fill(ranked, async () => {
      const { results } = await app.api.retrieve(slug, query.value);
      return [h("h3", {}, `What comes to mind for “${query.value}”`), h("ol.list", {}, ...results.map(scoredMemory))];
    });
  } }, query, h("button", { type: "submit" }, "Rank"));
  query.style.flex = "1";
  for (const field of [kind, order]) field.addEventListener("change", read);
  words.addEventListener("change", read);
  place.replaceChildren(form, ranked, h("h3", {}, "Memory stream"), h("div.row", {}, kind, order, words), stream);
  return read();
}

function memoryRow(app, slug, memory) {
  const marks = `importance ${memory.importance || "not rated"}${memory.times > 1 ? ` · ${memory.times} times` : ""}`;
  const place = h("div");
  const source = h("details.small", {}, h("summary", {}, marks), place);
  source.addEventListener("toggle", () => {
    if (!source.open || place.childNodes.length) return;
    fill(place, async () => {
      const { event, evidence } = await app.api.agent(slug, `/memories/${memory.id}`);
      return [evidence.length ? h("p", {}, `Rests on the memories ${evidence.join(", ")}.`) : "", whyButton(app, event, "Where does it come from?")];
    });
  });
  return h("li", {}, h("p", {}, h("time", {}, momentOf(memory.created_at)), " ", h(`span.badge.kind-${memory.kind}`, {}, memory.kind), ` ${memory.description}`), source);
}
