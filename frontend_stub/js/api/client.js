/** Requests to the API: the token, problem documents, and pages of lists. */

const RETRY_SECONDS_MAX = 30;
const PROBES_MILLISECONDS = [500, 1000, 2000];
const GATEWAY_STATUSES = [502, 504]; // of a proxy whose server is away

/** A request that failed, with words for the user: what happened and how to fix it. */
export class Problem extends Error {
  /** @param {{status?: number, code?: string, detail?: string, candidates?: string[], over?: Promise<void>}} document */
  constructor({ status = 0, code = "", detail = "The request failed.", candidates = [], over }) {
    super(detail);
    this.status = status;
    this.code = code;
    this.candidates = candidates;
    /** Of a server that does not answer: resolves when it does. */
    this.over = over;
  }

  /** What the user can do about it; "" if the message says it already. */
  get remedy() {
    if (this.code === "unreachable") return "This goes on by itself when the server is back.";
    if (this.status === 401) return "Open the link that `make run` prints, or enter another token.";
    if (this.code === "pace-needed") return "Choose a pace such as “a minute a second”, press Run, and try again.";
    if (this.status === 403) return "Use a token that may write, or ask the owner for the role of a collaborator.";
    if (this.status === 429 || this.status === 503) return "The server is busy. Try again in a moment.";
    if (this.candidates.length) return `Did you mean: ${this.candidates.slice(0, 5).join(" · ")}?`;
    return "";
  }
}

/** A client of one server. */
export class Client {
  /**
   * @param {string} origin "" for the server of this page, below its own path, else such as "http://127.0.0.1:8000"
   * @param {string | null} token
   * @param {(answers: boolean) => void} onReach is given whether the server answers, when that changes
   */
  constructor(origin, token, onReach = () => {}) {
    this.origin = origin || location.pathname.replace(/\/[^/]*$/, "");
    this.token = token;
    this.onReach = onReach;
    /** While the server does not answer: resolves when it does. @type {Promise<void> | null} */
    this.outage = null;
  }

  /**
   * Send one request; a busy server is asked again after the time that it names.
   * @param {string} path below the origin
   * @param {{method?: string, body?: object, headers?: Record<string, string>, signal?: AbortSignal}} [options]
   * @returns {Promise<Response>}
   */
  async request(path, { method = "GET", body, headers = {}, signal } = {}) {
    const sent = { ...headers };
    if (this.token) sent.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) sent["Content-Type"] = "application/json";
    const options = { method, headers: sent, signal, body: body === undefined ? undefined : JSON.stringify(body) };
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#fetch(path, options);
      if (response.ok) return response;
      const problem = await problemOf(response);
      const wait = Number(response.headers.get("Retry-After") ?? Infinity);
      if (![429, 503].includes(response.status) || attempt === 4 || wait > RETRY_SECONDS_MAX) throw problem;
      await new Promise((wake) => setTimeout(wake, wait * 1000));
    }
  }

  /** @returns {Promise<any>} the document at a path */
  async get(path, parameters = {}, signal = undefined) {
    const response = await this.request(withParameters(path, parameters), { signal });
    return response.json();
  }

  /** @returns {Promise<any>} the answer to a command; null without a body */
  async send(path, body = {}, method = "POST") {
    const response = await this.request(path, { method, body: method === "DELETE" ? undefined : body });
    const text = await response.text();
    return text ? JSON.parse(text) : null;
  }

  /**
   * Read a list page by page.
   * @param {number} most the number of rows after which no further page is read
   * @returns {Promise<any[]>}
   */
  async list(path, parameters = {}, most = 500, signal = undefined) {
    const rows = [];
    let next = withParameters(path, { limit: Math.min(most, 500), ...parameters });
    while (next && rows.length < most) {
      const page = await this.get(next, {}, signal);
      rows.push(...page.results);
      next = page.next && page.next.slice(page.next.indexOf("/api/v1/"));
    }
    return rows.slice(0, most);
  }

  async #fetch(path, options) {
    let response;
    try {
      response = await fetch(this.origin + path, options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
    }
    if (!response || GATEWAY_STATUSES.includes(response.status)) throw this.unreachable();
    return response;
  }

  /** @returns {Problem} of a server that does not answer; it is asked until it does */
  unreachable() {
    this.outage ??= this.#waitForAnswer();
    return new Problem({ code: "unreachable", detail: "The server does not answer.", over: this.outage });
  }

  async #waitForAnswer() {
    this.onReach(false);
    for (let attempt = 0; ; attempt += 1) {
      await new Promise((wake) => setTimeout(wake, PROBES_MILLISECONDS[Math.min(attempt, PROBES_MILLISECONDS.length - 1)]));
      // Its answer may be closed to a page of another origin; that there is one is enough.
      const answer = await fetch(`${this.origin}/health`, { mode: "no-cors" }).catch(() => null);
      if (answer && !GATEWAY_STATUSES.includes(answer.status)) break;
    }
    this.outage = null;
    this.onReach(true);
  }
}

async function problemOf(response) {
  const text = await response.text();
  try {
    return new Problem({ ...JSON.parse(text), status: response.status });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Problem({ status: response.status, detail: `The server answered ${response.status} ${response.statusText}.` });
  }
}

function withParameters(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") query.append(name, one);
    }
  }
  const text = query.toString();
  return text ? `${path}${path.includes("?") ? "&" : "?"}${text}` : path;
}
