// Everything that the service promised in its responses, to be compared with the databases at the end.
export class Model {
  /** Requested withdrawals with all responses. */
  intents = [];
  /** The initial balances of roles with withdrawals. */
  roles = new Map();
  /** Withdrawals as shown to players. */
  shownWithdrawals = [];
  /** When an operator first saw an order as unknown. */
  unknownSince = new Map();
  /** The real creation times of withdrawals that ending.mjs backdated. */
  createdAt = new Map();
  registered = [];
  disabled = [];
  /** Pairs of an address and an instance that denied it. */
  denied = new Set();
  links = [];
  unlinked = [];
  /** Confirmed email addresses of accounts. */
  emails = [];
  /** Ended sessions with all their tokens and cookies. */
  signedOut = [];
  /** Roles of merged servers, with their balances. */
  merges = new Map();
  chats = [];
  #entries = new Map();

  /** How often a player tried to enter a game, and how often it succeeded. */
  entries(player) {
    if (!this.#entries.has(player)) this.#entries.set(player, { tried: 0, done: 0 });
    return this.#entries.get(player);
  }

  allEntries() {
    return this.#entries;
  }
}
