/** The graph of conversations: agents on a circle, joined by how often they talked. */

import { count, fill, h, svg } from "../ui/dom.js";
import { conversationList } from "../panels/conversation.js";

const SIZE = 400;
const READ_MAX = 1000;

export function showGraph(place, app) {
  return fill(place, async () => {
    const talks = await app.api.list("/conversations", { order: "-start_at" }, READ_MAX);
    if (!talks.length) return [h("p.quiet", {}, "Nobody has talked yet.")];
    const pairs = pairsOf(talks);
    const detail = h("div");
    const show = (pair) => detail.replaceChildren(h("h3", {}, pair.slugs.map(app.nameOf).join(" and ")), ...conversationList(app, pair.talks));
    const most = pairs.slice(0, 12);
    return [
      h("p.quiet.small", {}, `${count(talks.length, "conversation")} between ${count(pairs.length, "pair")} of agents.`),
      drawing(app, pairs),
      h("h3", {}, "Who talked most"),
      h("ul.list", {}, ...most.map((pair) => h("li", {}, h("button.quiet", { type: "button", onclick: () => show(pair) }, pair.slugs.map(app.nameOf).join(" and ")),
        h("span.quiet.small", {}, ` ${count(pair.talks.length, "conversation")}, ${count(pair.words, "utterance")}`)))),
      detail,
    ];
  });
}

/** @returns {{slugs: string[], talks: any[], words: number}[]} the pairs that talked, the most talkative first */
export function pairsOf(talks) {
  const pairs = new Map();
  for (const talk of talks) {
    for (const [index, one] of talk.participants.entries()) {
      for (const other of talk.participants.slice(index + 1)) {
        const slugs = [one, other].sort();
        const pair = pairs.get(slugs.join(" ")) ?? { slugs, talks: [], words: 0 };
        pair.talks.push(talk);
        pair.words += talk.utterance_count;
        pairs.set(slugs.join(" "), pair);
      }
    }
  }
  return [...pairs.values()].sort((one, other) => other.talks.length - one.talks.length || other.words - one.words);
}

function drawing(app, pairs) {
  const slugs = [...new Set(pairs.flatMap((pair) => pair.slugs))].sort();
  const centre = SIZE / 2;
  const radius = centre - 70;
  const at = new Map(slugs.map((slug, index) => {
    const angle = (index / slugs.length) * Math.PI * 2 - Math.PI / 2;
    return [slug, { angle, x: centre + radius * Math.cos(angle), y: centre + radius * Math.sin(angle) }];
  }));
  const graph = svg("svg", { class: "chart", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": "Graph of conversations; the list below has the same content" });
  for (const { slugs: [one, other], talks } of pairs) {
    const [a, b] = [at.get(one), at.get(other)];
    graph.append(svg("path", { class: "edge", d: `M${a.x},${a.y} Q${centre},${centre} ${b.x},${b.y}`, "stroke-width": Math.min(7, 1 + talks.length * 0.8) }));
  }
  for (const [slug, { x, y, angle }] of at) {
    const isRight = Math.cos(angle) >= -0.01;
    const label = svg("text", {
      x: x + Math.cos(angle) * 12, y: y + Math.sin(angle) * 12, "text-anchor": isRight ? "start" : "end", "dominant-baseline": "middle",
      transform: `rotate(${(angle * 180) / Math.PI + (isRight ? 0 : 180)} ${x + Math.cos(angle) * 12} ${y + Math.sin(angle) * 12})`,
    });
    label.textContent = app.nameOf(slug).split(" ")[0];
    graph.append(svg("circle", { class: "node", cx: x, cy: y, r: 6 }), label);
  }
  return graph;
}
