// Records everything that the service promised in its responses. At the end of a run, the harness compares the
// model with the databases.
export class Model {
  intents = [];
  roles = new Map();
  shownWithdrawals = [];
  unknownSince = new Map();
  createdAt = new Map();
  registered = [];
  disabled = [];
  denied = new Set();
  links = [];
  unlinked = [];
  emails = [];
  signedOut = [];
  merges = new Map();
  chats = [];
  #entries = new Map();

  /** Returns how often a player tried to enter a game, and how often this succeeded. */
  entries(player) {
    if (!this.#entries.has(player)) this.#entries.set(player, { tried: 0, done: 0 });
    return this.#entries.get(player);
  }

  allEntries() {
    return this.#entries;
  }
}
