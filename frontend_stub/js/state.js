/** The state of the page as one value, and what stands on the screen because of it. No elements, no requests. */

/**
 * @typedef {object} State
 * @property {"none" | "start" | "simulation"} view
 * @property {"accepted" | "missing" | "refused"} token
 * @property {boolean} answers whether the server answers
 * @property {"none" | import("./api/stream.js").Connection} stream
 * @property {{role: string, name: string} | null} about the simulation that is open
 * @property {boolean} isOpen whether its moment is on the screen
 * @property {boolean} isRefused whether the token may not command
 * @property {{status: string, reason: string, pace: number | null, end_at: string | null, end_tick: number | null, clock: {tick: number, time: string}} | null} status
 * @property {number} runFrom the committed tick when the run was first seen
 * @property {{agents: number, ready: number}} preparation of the agents before the first tick
 * @property {string} command the command that is on its way
 * @property {string} lost the command that did not reach the server
 * @property {Record<string, Error & {status?: number, code?: string, remedy?: string}>} failures by what was attempted; the latest last
 */

/** @type {State} */
export const FIRST = Object.freeze({
  view: "none", token: "accepted", answers: true, stream: "none", about: null, isOpen: false, isRefused: false, status: null,
  runFrom: 0, preparation: { agents: 0, ready: 0 }, command: "", lost: "", failures: {},
});

/** What of a state belongs to the simulation that is open. */
const CLOSED = { stream: "none", about: null, isOpen: false, isRefused: false, status: null, preparation: FIRST.preparation, command: "", lost: "", failures: {} };

/**
 * Each kind of news makes the next state. A failure ends with the next success of the same attempt, one of an outage with the outage.
 * @type {Record<string, (state: State, news: any) => Partial<State>>}
 */
const CHANGES = {
  view: (_state, { view }) => ({ ...CLOSED, view }),
  token: (_state, { token }) => ({ token }),
  reach: (state, { answers }) => ({ answers, lost: answers ? "" : state.lost }),
  stream: (_state, { stream }) => ({ stream }),
  status: (state, { status }) => ({ status, runFrom: isRunning(status) && !isRunning(state.status) ? status.clock.tick : state.runFrom }),
  about: (_state, { about }) => ({ about, preparation: about.preparation }),
  opened: () => ({ isOpen: true }),
  command: (state, { command }) => ({ command, lost: "", failures: without(state.failures, "command") }),
  outcome: (state, { of, error }) => {
    const ended = of === "command" ? { command: "" } : {};
    if (!error) return { ...ended, failures: without(state.failures, of) };
    if (error.code === "unreachable") return { ...ended, answers: false, lost: of === "command" ? state.command : state.lost };
    if (error.status === 401) return { ...ended, token: "refused" };
    return {
      ...ended, failures: { ...without(state.failures, of), [of]: error },
      isRefused: state.isRefused || (of === "command" && error.status === 403),
    };
  },
};

/** @returns {State} the state after some news */
export function next(state, news) {
  return { ...state, ...CHANGES[news.kind](state, news) };
}

const isRunning = (status) => status?.status === "running";

function without(failures, of) {
  const { [of]: _ended, ...others } = failures;
  return others;
}

/** @typedef {{text: string, remedy: string, action: "" | "token"}} Message */

/** @returns what stands on the screen in a state: the connection, the words, the message, and the controls */
export function screenOf(state) {
  const { status, view } = state;
  const runs = isRunning(status);
  const why = obstacleOf(state);
  return {
    connection: connectionOf(state),
    words: view === "simulation" && state.isOpen && state.answers && state.stream === "live" ? wordsOf(state) : "",
    message: messageOf(state),
    run: { text: runs ? "Pause" : "Run", isPrimary: !runs, why },
    step: { why: why || (runs ? "Pause it to go step by step" : "") },
    choice: { why },
    progress: progressOf(state),
  };
}

/** @returns {string} the reason that no command can work; "" if one can */
function obstacleOf(state) {
  if (!state.isOpen) return "No simulation is open";
  if (!state.answers || state.stream === "waiting") return "The server does not answer";
  if (state.stream !== "live") return "Not connected";
  if (state.about && state.about.role === "guest") return "You are a guest of this simulation: its owners and collaborators run it";
  if (state.isRefused) return "This token may not run it";
  if (state.command) return `“${state.command}” is on its way`;
  return "";
}

/** @returns {{level: "live" | "waiting" | "off", text: string}} of the dot and the words beside it */
function connectionOf({ view, token, answers, stream }) {
  if (token !== "accepted") return { level: "off", text: "Not connected" };
  if (!answers || stream === "waiting") return { level: "waiting", text: "Connection lost, reconnecting …" };
  if (view === "start" || stream === "live") return { level: "live", text: "Connected" };
  if (stream === "ended") return { level: "off", text: "Not connected" };
  return { level: "waiting", text: "Connecting …" };
}

function wordsOf({ status, preparation: { agents, ready } }) {
  if (!status) return "";
  const { reason, pace, end_at: end, clock } = status;
  if (clock.tick === 0 && ready < agents) return `Forming the memories of ${agents} agents: ${ready} done`;
  if (status.status === "pausing") return "Pausing …";
  if (status.status !== "running") return reason ? `Paused: ${reason}` : "Paused";
  const speed = pace === null ? "as fast as possible" : pace === 1 ? "in real time" : `at ${pace} times real time`;
  return `Running ${speed}${end ? ` until ${end.slice(11, 16)}` : ""}`;
}

/** @returns {Message | null} the one message of the page: the cause that comes before the others */
function messageOf({ token, answers, lost, failures }) {
  if (token !== "accepted") {
    const text = token === "missing" ? "The page needs a token to read from this server." : "The server does not accept the token.";
    return { text, remedy: "", action: "token" };
  }
  if (!answers) {
    return {
      text: lost ? `The server does not answer: “${lost}” did not reach it.` : "The server does not answer.",
      remedy: "Nothing is lost; this page goes on by itself when the server is back. On this machine, `make run` starts it.", action: "",
    };
  }
  const latest = Object.values(failures).at(-1);
  return latest ? { text: latest.message, remedy: latest.remedy ?? "", action: "" } : null;
}

/** @returns {{max: number, value: number} | null} the share of the preparation, or of the run to an end, that is done */
function progressOf({ isOpen, status, runFrom, preparation: { agents, ready } }) {
  if (!isOpen || !status) return null;
  if (status.clock.tick === 0 && ready < agents) return { max: agents, value: ready };
  if (!isRunning(status) || status.pace !== null || !status.end_tick) return null;
  return { max: status.end_tick - runFrom, value: status.clock.tick - runFrom };
}

/** Holds the state, and gives each one to those that draw it. */
export class PageState {
  constructor() {
    this.now = FIRST;
    /** @type {((state: State) => void)[]} */
    this.listeners = [];
  }

  /** Call a listener with the present state, and with each later one. */
  follow(listener) {
    this.listeners.push(listener);
    listener(this.now);
  }

  take(news) {
    this.now = next(this.now, news);
    for (const listener of this.listeners) listener(this.now);
  }

  /**
   * Attempt something and keep its failure until it succeeds. A read is attempted again after an outage, and
   * counts as long as it is wanted.
   * @param {string} of what is attempted: "command", or a name of a read
   * @param {() => Promise<any>} action
   * @param {(() => boolean) | null} isWanted whether a read is still wanted; null for a command
   * @returns {Promise<boolean>} whether it succeeded
   */
  async attempt(of, action, isWanted = null) {
    for (;;) {
      let failure = null;
      try {
        await action();
      } catch (error) {
        failure = error;
        if (!("remedy" in error)) console.error(error);
      }
      if (isWanted && !isWanted()) return false;
      this.take({ kind: "outcome", of, error: failure });
      if (!failure) return true;
      if (!failure.over || !isWanted) return false;
      await failure.over;
      if (!isWanted()) return false;
    }
  }
}
