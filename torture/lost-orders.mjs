// Checks orders without a row. Only a loss of commits can explain such orders.

/** A loss reaches this far back, because the database flushes its log about once per second. */
const LOST_MS = 2000;
/** A command follows its row within this time, which covers up to 10 s before sending and 12 s on the network. */
const LATE_MS = 25_000;
/**
 * A surviving sender records the outcome within this time after the database is back, because the sender retries
 * every 10 s and a fault lasts up to 12 s.
 */
const WRITTEN_WITHIN_MS = 25_000;
/** A freeze may delay the log line of a process by up to this time. */
const LOGGED_WITHIN_MS = 15_000;
/** Keeps a second loss from losing the records about the first loss. */
export const MIN_LOSS_INTERVAL_MS = WRITTEN_WITHIN_MS;

/**
 * Returns violations, and counts for the report.
 * - `orders`: the commands that the game servers received
 * - `losses`: the times at which the database lost commits (`at`) and was back (`until`)
 * - `senders`: the instances, with the times of their deaths and the orders in their logs
 */
export function judgeLostOrders({ orders, ledger, rows, orphans, intents, losses, senders }) {
  const [wrong, counts] = [[], { kept: 0, withSender: 0, withOutcome: 0, applied: 0 }];
  const asked = new Map(intents.map((intent) => [keyOf(intent), intent]));
  const known = new Set(rows.map(({ order_no }) => order_no));
  const kept = new Set(orphans.map(({ order_no }) => order_no));
  for (const [orderNo, order] of orders) {
    if (known.has(orderNo)) continue;
    const intent = asked.get(keyOf(order));
    const loss = losses.find((one) => explains(one, order));
    const detail = `order ${orderNo} of role ${order.role}, amount ${order.amount}, ${order.fault}`;
    const explanation =
      loss && explanationOf(orderNo, order, { loss, isKept: kept.has(orderNo), senders });
    if (!loss) wrong.push(['sent, but never recorded', detail, intent?.entry]);
    else if (!explanation)
      wrong.push(['lost, and kept nowhere', `${detail}: ${timesOf(order, loss)}`, intent?.entry]);
    else counts[explanation]++;
    if (explanation && ledger.get(orderNo).applications > 0) counts.applied++;
    const isLogged = senders.some(({ sent }) => sent.has(orderNo));
    if (loss && !isLogged && !hasDied(orderNo, order, order.at + LOGGED_WITHIN_MS, senders))
      wrong.push(['sent, and not in the log', detail, intent?.entry]);
  }
  for (const orphan of orphans) {
    const order = orders.get(orphan.order_no);
    const facts = JSON.stringify(orphan);
    const { entry } = asked.get(keyOf(order ?? orphan)) ?? {};
    // The only time of an order that no game server received is from the instance's clock, so any loss explains the
    // order.
    if (!losses.some((loss) => !order || explains(loss, order)))
      wrong.push(['an order whose row is gone', facts, entry]);
    else if (known.has(orphan.order_no))
      wrong.push(['an order without a row has one', facts, entry]);
  }
  return { wrong: [...wrong, ...mismatchedRows([...rows, ...orphans], orders, asked)], counts };
}

/** Returns rows and orphans that do not match the order with their number. */
function mismatchedRows(rows, orders, asked) {
  return rows.flatMap((row) => {
    const order = orders.get(row.order_no);
    if (!order) return [];
    const { player, entry } = asked.get(keyOf(order)) ?? {};
    const isSame = keyOf(row) === keyOf(order) && row.player_id === player?.id;
    const detail = `${JSON.stringify(row)}, sent: ${JSON.stringify(order)} of player ${player?.id}`;
    return isSame ? [] : [["a row with another's order", detail, entry]];
  });
}

function explanationOf(orderNo, order, { loss, isKept, senders }) {
  if (isKept) return 'kept';
  // The outcome was stored before the loss, which took it along with the row.
  if (order.answeredAt <= loss.at) return 'withOutcome';
  const until = loss.until + WRITTEN_WITHIN_MS;
  return hasDied(orderNo, order, until, senders) ? 'withSender' : undefined;
}

/** If no log contains the order, any instance may be the sender that died before logging the order. */
function hasDied(orderNo, { at }, until, senders) {
  const known = senders.filter(({ sent }) => sent.has(orderNo));
  const suspects = known.length > 0 ? known : senders;
  return suspects.some(({ deaths }) => deaths.some((time) => time >= at && time <= until));
}

function timesOf({ at, answeredAt }, loss) {
  const [received, answered] = [at, answeredAt].map((time) => Math.round(time - loss.at));
  return `received ${received} ms and answered ${answered} ms after the loss`;
}

function explains(loss, { at }) {
  return at > loss.at - LOST_MS && at < loss.at + LATE_MS;
}

function keyOf({ role, role_id, amount }) {
  return `${role ?? role_id} ${amount}`;
}
