/** Tabs after the pattern of WAI-ARIA: arrow keys move, the chosen tab shows its panel. */

import { h } from "./dom.js";

let made = 0;

/**
 * @typedef {{id: string, label: string, open: (panel: HTMLElement) => void}} Tab
 */

/** A list of tabs and one panel below it. */
export class Tabs {
  /**
   * @param {string} label of the whole list, for screen readers
   * @param {Tab[]} tabs
   * @param {(id: string) => void} [onChoose]
   */
  constructor(label, tabs, onChoose = () => {}) {
    made += 1;
    this.prefix = `tabs-${made}`;
    this.tabs = tabs;
    this.onChoose = onChoose;
    this.current = "";
    this.list = h("div.tabs", { role: "tablist", "aria-label": label, onkeydown: (event) => this.#key(event) });
    this.panel = h("div.tab-panel", { role: "tabpanel", tabIndex: 0, id: `${this.prefix}-panel` });
    this.buttons = new Map(tabs.map((tab) => [tab.id, this.#button(tab)]));
    this.list.append(...this.buttons.values());
  }

  /** Choose a tab, and fill its panel anew. */
  choose(id) {
    const tab = this.tabs.find((each) => each.id === id) ?? this.tabs[0];
    const isOther = this.current !== tab.id;
    this.current = tab.id;
    for (const [each, button] of this.buttons) {
      button.setAttribute("aria-selected", String(each === tab.id));
      button.tabIndex = each === tab.id ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `${this.prefix}-${tab.id}`);
    if (isOther) {
      this.panel.replaceChildren();
      this.panel.scrollTop = 0;
    }
    tab.open(this.panel);
    if (isOther) this.onChoose(tab.id);
  }

  /** Fill the panel of the chosen tab anew. */
  refresh() {
    if (this.current) this.choose(this.current);
  }

  rename(id, label) {
    this.buttons.get(id).textContent = label;
  }

  #button(tab) {
    return h("button.tab", {
      type: "button", role: "tab", id: `${this.prefix}-${tab.id}`, "aria-controls": `${this.prefix}-panel`,
      "aria-selected": "false", tabIndex: -1, onclick: () => this.choose(tab.id),
    }, tab.label);
  }

  #key(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    if (!(event.key in steps)) return;
    const index = this.tabs.findIndex((tab) => tab.id === this.current);
    const next = this.tabs[(index + steps[event.key] + this.tabs.length) % this.tabs.length];
    this.choose(next.id);
    this.buttons.get(next.id).focus();
    event.preventDefault();
  }
}
