// What the operations learned: every promise that the service made, to be held against the books at the end.
export class Model {
  /** Withdrawals as they were asked for, with every answer. */
  intents = [];
  /** Roles that money was asked from, with their first balance. */
  roles = new Map();
  /** Withdrawals as a player was shown them. */
  told = [];
  /** When an operator first saw an order as unknown. */
  unknownSince = new Map();
  /** When withdrawals were created that the ending has dated back. */
  createdAt = new Map();
  registered = [];
  disabled = [];
  /** Addresses and the instances that denied them. */
  denied = new Set();
  links = [];
  /** Links that were removed. */
  unlinked = [];
  /** Mailboxes that accounts were given. */
  mailboxes = [];
  /** Sessions that ended, with every token and cookie they had. */
  signedOut = [];
  /** Roles of servers that were merged, with their balances before and after. */
  merges = new Map();
  chats = [];
  #entries = new Map();

  /** How often a player tried to enter a game, and how often he was let in. */
  entries(player) {
    if (!this.#entries.has(player)) this.#entries.set(player, { tried: 0, done: 0 });
    return this.#entries.get(player);
  }

  allEntries() {
    return this.#entries;
  }
}
