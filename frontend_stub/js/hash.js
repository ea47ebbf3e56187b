/** The part of the address behind `#`: which simulation, moment and agent a link opens. */

/** @returns {Record<string, string>} */
export function readHash() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** The address of the list of simulations is that of no simulation. */
export const LIST = "all";

/** @returns {string} the address of a simulation, a moment and an agent on this page, such as "#simulation=…" */
export function addressOf({ simulation, agent = "", at = "" }) {
  const values = new URLSearchParams();
  const { api } = readHash();
  for (const [name, value] of Object.entries({ api, simulation, agent, at })) if (value) values.set(name, value);
  // Colons and slashes may stand behind `#` as they are.
  return `#${values.toString().replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

/** Keep the address shareable; a token is never in it. */
export function writeHash(values) {
  history.replaceState(null, "", `${location.pathname}${addressOf(values)}`);
}

/**
 * Take the token out of the address. What follows `#` is not sent to servers; the tab keeps the
 * token until it is closed.
 * @returns {string | null}
 */
export function takeToken() {
  const { token, ...rest } = readHash();
  if (token) {
    sessionStorage.setItem("token", token);
    writeHash({ simulation: "", ...rest });
  }
  return sessionStorage.getItem("token");
}
