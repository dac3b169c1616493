import { countBy } from './report.mjs';

export function moneyFigures({ model, counts }, rows, ledger) {
  const faulted = model.intents.filter(({ isFaulted }) => isFaulted);
  const keys = new Set(faulted.map(keyOf));
  const affected = rows.filter(({ role_id, amount }) => keys.has(keyOf({ role: role_id, amount })));
  const sent = rows.filter(({ order_no }) => order_no !== null);
  const states = new Map(rows.map(({ id, status }) => [id, status]));
  const shown = model.intents.flatMap(({ answers }) =>
    answers.flatMap(({ status, data }) =>
      status === 200 || status === 202 ? [`${status} ${states.get(data.id)}`] : [],
    ),
  );
  return {
    ...counts,
    faulted: affected.length,
    states: countBy(rows.map(({ status }) => status)),
    neverSent: rows.length - sent.length,
    applications: countBy(sent.map(({ order_no }) => ledger.get(order_no)?.applications ?? 0)),
    shown: countBy(shown),
  };
}

function keyOf({ role, amount }) {
  return `${role} ${amount}`;
}
