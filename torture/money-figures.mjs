// What a run counts of its withdrawals, for docs/withdrawals.md.
import { countBy } from './report.mjs';

export function moneyFigures({ model, counts }, rows, ledger) {
  const faulted = model.intents.filter(({ isFaulted }) => isFaulted);
  const places = new Set(faulted.map(placeOf));
  const met = rows.filter(({ role_id, amount }) => places.has(placeOf({ role: role_id, amount })));
  const sent = rows.filter(({ order_no }) => order_no !== null);
  const states = new Map(rows.map(({ id, status }) => [id, status]));
  const shown = model.intents.flatMap(({ answers }) =>
    answers.flatMap(({ status, data }) =>
      status === 200 || status === 202 ? [`${status} ${states.get(data.id)}`] : [],
    ),
  );
  return {
    ...counts,
    faulted: met.length,
    states: countBy(rows.map(({ status }) => status)),
    neverSent: rows.length - sent.length,
    /** Orders by how often the game servers applied them. */
    applications: countBy(sent.map(({ order_no }) => ledger.get(order_no)?.applications ?? 0)),
    /** What a player was answered, and what the books say at the end. */
    shown: countBy(shown),
  };
}

function placeOf({ role, amount }) {
  return `${role} ${amount}`;
}
