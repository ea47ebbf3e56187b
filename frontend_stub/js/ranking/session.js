/** The ranking that a link opens, and the requests of its evaluator. */

import { Client } from "../api/client.js";
import { readHash } from "../hash.js";

const NEEDED = ["simulation", "survey", "ranking"];
// What an evaluator can do about a failure; the links come from another person.
const REMEDIES = {
  401: "This link has no valid token. Ask the person who sent it for a new one.",
  403: "This link may only read. Ask the person who sent it for one with a token that may write.",
  404: "Ask the person who sent this link whether the ranking still exists and whether you are a member.",
  409: "Ask the person who sent this link for one to a ranking by people.",
  422: "Reload the page to see this question as it is now.",
};

/** Answers of one ranking for one evaluator. The condition of an answer is in none of them. */
export class RankingSession {
  /** @param {Record<string, string>} link the values behind `#` */
  constructor(link) {
    this.link = link;
    this.client = new Client(link.api ?? "", link.token ?? null);
    const [simulation, survey, ranking] = NEEDED.map((name) => encodeURIComponent(link[name] ?? ""));
    this.path = `/api/v1/simulations/${simulation}/surveys/${survey}/rankings/${ranking}`;
  }

  /** What the link lacks, "" for nothing. */
  get missing() {
    return [...NEEDED, "token"].filter((name) => !this.link[name]).join(", ");
  }

  /** @returns {Promise<{tasks: number, ranked: number, agent_name: string | null, task: any}>} */
  next() {
    return this.#explained(this.client.get(`${this.path}/next-task`));
  }

  /**
   * Submit ranks by letter; later ones of the same task replace them.
   * @param {string} task
   * @param {Record<string, number>} ranks
   * @param {string} reason
   */
  submit(task, ranks, reason) {
    const body = reason ? { ranks, reason } : { ranks };
    return this.#explained(this.client.send(`${this.path}/tasks/${task}/judgement`, body));
  }

  /** @returns {string} a link to the agent at the moment of the question, for its memories */
  memoriesOf(task) {
    const { api, token, simulation } = this.link;
    const values = new URLSearchParams({ ...(api ? { api } : {}), token, simulation, agent: task.agent, at: task.as_of.time });
    return `./#${values}`;
  }

  async #explained(request) {
    try {
      return await request;
    } catch (error) {
      const remedy =
        error.code === "unreachable"
          ? "Check your connection and try again. Your ranks are still here."
          : (REMEDIES[error.status] ?? "Try again in a moment. Your ranks are still here.");
      throw Object.defineProperty(error, "remedy", { value: remedy });
    }
  }
}

/**
 * Return the values of the link. The token leaves the address; the tab keeps it until it is closed.
 * @returns {Record<string, string>}
 */
export function openLink() {
  const { token, ...rest } = readHash();
  if (token) {
    sessionStorage.setItem("token", token);
    history.replaceState(null, "", `${location.pathname}#${new URLSearchParams(rest)}`);
  }
  return { ...rest, token: sessionStorage.getItem("token") ?? "" };
}
