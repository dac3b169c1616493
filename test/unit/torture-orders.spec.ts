import { beforeAll, describe, expect, it } from 'vitest';
import { inProject } from '../support/servers/gatehouse-process.js';

interface Order {
  server: number;
  role: number;
  amount: number;
  account: string;
  at: number;
  answeredAt: number;
}
type Wrong = [what: string, told: string];

interface Harness {
  namesOf: (index: number, run: number) => Record<string, unknown>;
  ordersOfOthers: (
    orders: Map<string, Order>,
    intents: object[],
    owners: Map<string, string>,
  ) => Wrong[];
  judgeLostOrders: (facts: object) => { wrong: Wrong[]; counts: Record<string, number> };
}

let harness: Harness;

beforeAll(async () => {
  const files = ['twins', 'owner-invariants', 'lost-orders'];
  const modules = await Promise.all(
    files.map((file) => import(inProject(`torture/${file}.mjs`)) as Promise<object>),
  );
  harness = Object.assign({}, ...modules) as Harness;
});

const ORDER = { server: 1, role: 77, amount: 500, account: 'Twin', at: 1000, answeredAt: 1000 };
const PLAYER = { id: 5, account: 'Twin', gameAccount: 'Twin', inGame: 'Twin' };
const intentOf = (player: object) => ({ player, role: 77, amount: 500 });
const whatOf = (wrong: Wrong[]) => wrong.map(([what]) => what);

describe("In the torture test, a role's owner", () => {
  const judge = (player: object, { owner = 'Twin', account = 'Twin' } = {}) =>
    whatOf(
      harness.ordersOfOthers(
        new Map([['W1', { ...ORDER, account }]]),
        [intentOf(player)],
        new Map([['1 77', owner]]),
      ),
    );

  it('is the player with exactly the same name', () => {
    expect(judge(PLAYER)).toEqual([]);
    for (const owner of ['twin', 'Twín', 'Twin ', undefined])
      expect(judge(PLAYER, { owner: owner ?? 'nobody' })).toEqual(["money of another's role"]);
    expect(judge(PLAYER, { account: 'twin' })).toEqual(["sent under another's name"]);
    expect(judge({ id: 6, account: 'twin~6', gameAccount: 'twin', inGame: 'twin' })).toEqual([
      "money of another's role",
      "sent under another's name",
    ]);
  });

  it('has a twin whose name differs only by case, accents or a space', () => {
    const names = Array.from({ length: 80 }, (_, index) => harness.namesOf(index, 1));
    const inGame = names.flatMap(({ inGame: own, ghost }) => (ghost ? [own, ghost] : [own]));
    expect(new Set(inGame).size).toBe(inGame.length);
    const bare = inGame.map((name) =>
      String(name).normalize('NFKD').replaceAll(/\p{M}/gu, '').trimEnd().toLowerCase(),
    );
    expect(inGame.length - new Set(bare).size).toBe(11);
    const accounts = names.map(({ account }) => String(account).toLowerCase());
    expect(new Set(accounts).size).toBe(80);
  });
});

describe('In the torture test, an order without a row', () => {
  const LOSS = { at: 1500, until: 4000 };
  const ORPHAN = { order_no: 'W1', role_id: '77', amount: '500', player_id: 5 };
  /** Returns a sender for each list of deaths. Only the first one's log contains the order. */
  const sendersOf = (...deaths: number[][]) =>
    deaths.map((times, name) => ({ deaths: times, sent: new Set(name === 0 ? ['W1'] : []) }));
  const judge = (facts: object = {}, order: Partial<Order> = {}) =>
    harness.judgeLostOrders({
      orders: new Map([['W1', { ...ORDER, ...order }]]),
      ledger: new Map([['W1', { applications: 1 }]]),
      rows: [],
      orphans: [],
      intents: [intentOf(PLAYER)],
      losses: [LOSS],
      senders: sendersOf([], []),
      ...facts,
    });

  it('is a violation if the database lost nothing', () => {
    expect(whatOf(judge({ losses: [] }).wrong)).toEqual(['sent, but never recorded']);
    expect(whatOf(judge({ rows: [ORPHAN], orphans: [ORPHAN], losses: [] }).wrong)).toEqual([
      'an order whose row is gone',
    ]);
    // The order was sent long before the loss.
    expect(whatOf(judge({ losses: [{ at: 9000, until: 9900 }] }).wrong)).toHaveLength(1);
  });

  it('must be kept as an orphan unless its outcome was lost or its sender died', () => {
    const open = { answeredAt: 1600 };
    expect(whatOf(judge({}, open).wrong)).toEqual(['lost, and kept nowhere']);
    const kept = judge({ orphans: [ORPHAN] }, open);
    expect(kept).toMatchObject({ wrong: [], counts: { kept: 1, applied: 1 } });
    expect(judge()).toMatchObject({ wrong: [], counts: { withOutcome: 1 } });
    const died = judge({ senders: sendersOf([3000], []) }, open);
    expect(died).toMatchObject({ wrong: [], counts: { withSender: 1 } });
    // Neither another sender's death nor an earlier death is an excuse.
    expect(whatOf(judge({ senders: sendersOf([900], [3000]) }, open).wrong)).toHaveLength(1);
  });

  it("must be in its sender's log unless that process died", () => {
    const unlogged = (...deaths: number[][]) => ({
      orphans: [ORPHAN],
      senders: deaths.map((times) => ({ deaths: times, sent: new Set() })),
    });
    expect(whatOf(judge(unlogged([], [])).wrong)).toEqual(['sent, and not in the log']);
    expect(judge(unlogged([], [1100])).wrong).toEqual([]);
  });

  it('must not share its number with the row of another withdrawal', () => {
    const another = { ...ORPHAN, role_id: '78' };
    const what = ["a row with another's order"];
    expect(whatOf(judge({ rows: [another] }).wrong)).toEqual(what);
    expect(whatOf(judge({ rows: [{ ...ORPHAN, player_id: 6 }] }).wrong)).toEqual(what);
    expect(whatOf(judge({ rows: [ORPHAN], orphans: [ORPHAN] }).wrong)).toEqual([
      'an order without a row has one',
    ]);
    expect(judge({ rows: [ORPHAN] }).wrong).toEqual([]);
  });
});
