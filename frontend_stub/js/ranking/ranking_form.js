/** The form of one task: a question, its answers under letters, and a rank for each answer. */

import { count, h, perform, write } from "../ui/dom.js";

const REASON_CHARACTERS_MAX = 500;

/** A form for the ranks of a task; it keeps the blind order of the answers. */
export class RankingForm {
  /**
   * @param {any} task
   * @param {{agentName: string, memories: string, onSubmit: (ranks: Record<string, number>, reason: string) => Promise<Node | string>}} options
   */
  constructor(task, { agentName, memories, onSubmit }) {
    this.task = task;
    this.onSubmit = onSubmit;
    this.order = h("p.order", { role: "status" });
    this.outcome = h("div");
    this.button = h("button.primary", {}, "Submit and go on");
    this.reason = h("textarea", { maxLength: REASON_CHARACTERS_MAX, rows: 2, value: task.your_reason });
    this.answers = new Map(task.answers.map((answer) => [answer.letter, this.#answer(answer)]));
    this.heading = h("h2", { tabIndex: -1 }, task.text);
    this.element = h(
      "form.task",
      { noValidate: true, onsubmit: (event) => this.#submit(event) },
      h("p.quiet", {}, `${agentName} was asked on ${momentInWords(task.as_of.time)}:`),
      this.heading,
      h("p", {}, `Rank the ${count(task.answers.length, "answer")} by how believable each is as an answer of ${agentName} at that time: 1 is the most believable. Equally believable answers have the same rank.`),
      h("p.small", {}, h("a", { href: memories, target: "_blank", rel: "noopener" }, `What ${agentName} remembers and does at that time (opens a new tab)`)),
      h("div.answers", {}, ...[...this.answers.values()].map((answer) => answer.element)),
      h("label.reason", {}, "Why so (optional)", this.reason),
      this.order,
      h("div.row", {}, this.button),
      this.outcome,
    );
    for (const [letter, rank] of Object.entries(task.your_ranks ?? {})) this.answers.get(letter)?.choose(Math.round(rank));
    this.#showOrder();
  }

  /** The ranks that are chosen, by letter. */
  get ranks() {
    const chosen = [...this.answers].map(([letter, answer]) => [letter, answer.rank()]);
    return Object.fromEntries(chosen.filter(([, rank]) => rank));
  }

  #answer({ letter, answer }) {
    const numbers = this.task.answers.map((_, place) => place + 1);
    const error = h("p.problem", { id: `error-${letter}`, hidden: true });
    const inputs = numbers.map((rank) => h("input", { type: "radio", name: `rank-${letter}`, value: String(rank), onchange: () => this.#chosen(letter) }));
    const labels = inputs.map((input, place) => h("label", {}, input, h("span", {}, numbers[place])));
    const ends = ["most believable", "least believable"];
    const element = h(
      "fieldset.answer",
      { "aria-describedby": `error-${letter}` },
      h("legend", {}, `Answer ${letter}`),
      h("blockquote", {}, answer),
      h("div.ranks", {}, h("span.quiet.small", { "aria-hidden": "true" }, ends[0]), ...labels, h("span.quiet.small", { "aria-hidden": "true" }, ends[1])),
      error,
    );
    return {
      element,
      rank: () => Number(inputs.find((input) => input.checked)?.value ?? 0),
      choose: (rank) => inputs.forEach((input) => (input.checked = input.value === String(rank))),
      focus: () => inputs[0].focus(),
      complain: (text) => {
        write(error, text);
        error.hidden = !text;
        for (const input of inputs) input.setAttribute("aria-invalid", String(Boolean(text)));
      },
    };
  }

  #chosen(letter) {
    this.answers.get(letter).complain("");
    this.#showOrder();
  }

  /** Say the order so far: "B, then A = C". */
  #showOrder() {
    const byRank = new Map();
    for (const [letter, rank] of Object.entries(this.ranks)) byRank.set(rank, [...(byRank.get(rank) ?? []), letter]);
    const places = [...byRank.keys()].sort((one, other) => one - other).map((rank) => byRank.get(rank).join(" = "));
    const left = this.answers.size - Object.keys(this.ranks).length;
    const order = places.length ? `Your order: ${places.join(", then ")}.` : "No rank is chosen yet.";
    write(this.order, left && places.length ? `${order} ${count(left, "answer")} without a rank.` : order);
  }

  async #submit(event) {
    event.preventDefault();
    const missing = [...this.answers].filter(([, answer]) => !answer.rank());
    for (const [letter, answer] of missing) answer.complain(`Answer ${letter} has no rank. Choose a number from 1 to ${this.answers.size}; equal answers may have the same one.`);
    if (missing.length) return missing[0][1].focus();
    return perform(this.outcome, this.button, () => this.onSubmit(this.ranks, this.reason.value.trim()));
  }
}

/** "13 February 2023, 20:00" of a game time. */
function momentInWords(time) {
  const [date, clock] = time.split("T");
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `${day} at ${clock.slice(0, 5)}`;
}
