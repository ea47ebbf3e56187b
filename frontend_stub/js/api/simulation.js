/** The addresses of one simulation; reads take the moment that the page shows. */

export const ROOT = "/api/v1";


/** Reads and commands of a simulation. */
export class SimulationApi {
  /**
   * @param {import("./client.js").Client} client
   * @param {string} id
   */
  constructor(client, id) {
    this.client = client;
    this.id = id;
    this.path = `${ROOT}/simulations/${id}`;
    /** The tick that reads are as of; null for the present. @type {number | null} */
    this.at = null;
  }

  /** @returns {SimulationApi} the same with the present moment for good, for reads that follow each other */
  asOfNow() {
    const frozen = new SimulationApi(this.client, this.id);
    frozen.at = this.at;
    return frozen;
  }

  /** Read below the simulation, as of the moment shown. */
  read(rest, parameters = {}, signal = undefined) {
    return this.client.get(this.path + rest, { at: this.at, ...parameters }, signal);
  }

  /** Read what has no past: the simulation itself, its settings, its map. */
  readNow(rest = "", parameters = {}) {
    return this.client.get(this.path + rest, parameters);
  }

  /** Read a list below the simulation, as of the moment shown. */
  list(rest, parameters = {}, most = 500, signal = undefined) {
    return this.client.list(this.path + rest, { at: this.at, ...parameters }, most, signal);
  }

  /** Send a command. */
  send(rest, body = {}, method = "POST") {
    return this.client.send(this.path + rest, body, method);
  }

  agent(slug, rest = "", parameters = {}) {
    return this.read(`/agents/${slug}${rest}`, parameters);
  }

  provenance(event) {
    return this.read(`/events/${event}/provenance`);
  }

  /** Ask an agent, as of the moment shown. */
  interview(slug, question, persona) {
    const body = { question, ...(persona && { persona }), ...(this.at !== null && { at: this.at }) };
    return this.send(`/agents/${slug}/interviews`, body);
  }

  /** Rank memories for a query, as of the moment shown. */
  retrieve(slug, query, limit = 8) {
    return this.send(`/agents/${slug}/retrievals`, { query, limit, ...(this.at !== null && { at: this.at }) });
  }

  /** @returns {Promise<ImageBitmap>} an image of the map */
  async image(name) {
    const response = await this.client.request(`${this.path}/world/${name}`);
    return createImageBitmap(await response.blob());
  }
}
