// Orders whose row is gone, which only a loss of commits explains, and what must hold of them all the same.

/** The log is written once a second, or a little later. */
const TAKEN_BACK_MS = 2000;
/** A command may come that much after its row: 10 s before it is sent, and 12 s on the network. */
const LATE_MS = 25_000;
/** Within so long of the database's return, a sender that lives has written down what it knows: it waits 10 s between tries, and a fault takes 12 s. */
const WRITTEN_WITHIN_MS = 25_000;
/** A line of the log is written a moment later, or when a process that stood still goes on. */
const LOGGED_WITHIN_MS = 15_000;
/** So a second loss does not take back what was written about the first one. */
export const LOSSES_APART_MS = WRITTEN_WITHIN_MS;

/**
 * `orders` are the commands as the game servers received them, `losses` the times at which the database lost commits and was back,
 * `senders` the instances: at which times they were killed or stopped, and which orders their logs tell of. Gives violations, and
 * counts for the figures.
 */
export function judgeLostOrders({ orders, ledger, rows, orphans, intents, losses, senders }) {
  const [wrong, counts] = [[], { kept: 0, withSender: 0, withOutcome: 0, applied: 0 }];
  const asked = new Map(intents.map((intent) => [placeOf(intent), intent]));
  const known = new Set(rows.map(({ order_no }) => order_no));
  const kept = new Set(orphans.map(({ order_no }) => order_no));
  for (const [orderNo, order] of orders) {
    if (known.has(orderNo)) continue;
    const intent = asked.get(placeOf(order));
    const loss = losses.find((one) => isOf(one, order));
    const told = `order ${orderNo} of role ${order.role}, amount ${order.amount}, ${order.fault}`;
    const way = loss && wayOf(orderNo, order, { loss, isKept: kept.has(orderNo), senders });
    if (!loss) wrong.push(['sent, but never written down', told, intent?.entry]);
    else if (!way)
      wrong.push(['lost, and kept nowhere', `${told}: ${timesOf(order, loss)}`, intent?.entry]);
    else counts[way]++;
    if (way && ledger.get(orderNo).applications > 0) counts.applied++;
    const isLogged = senders.some(({ sent }) => sent.has(orderNo));
    if (loss && !isLogged && !hasDied(orderNo, order, order.at + LOGGED_WITHIN_MS, senders))
      wrong.push(['sent, and not in the log', told, intent?.entry]);
  }
  for (const orphan of orphans) {
    const order = orders.get(orphan.order_no);
    const facts = JSON.stringify(orphan);
    const { entry } = asked.get(placeOf(order ?? orphan)) ?? {};
    // One that no game server has seen has no time but that of the instance's clock.
    if (!losses.some((loss) => !order || isOf(loss, order)))
      wrong.push(['an order whose row is gone', facts, entry]);
    else if (known.has(orphan.order_no))
      wrong.push(['an order without a row has one', facts, entry]);
  }
  return { wrong: [...wrong, ...mixedUp([...rows, ...orphans], orders, asked)], counts };
}

/** A row, and what is kept of one that is gone, tells of the order whose number it bears. */
function mixedUp(rows, orders, asked) {
  return rows.flatMap((row) => {
    const order = orders.get(row.order_no);
    if (!order) return [];
    const { player, entry } = asked.get(placeOf(order)) ?? {};
    const isSame = placeOf(row) === placeOf(order) && row.player_id === player?.id;
    const told = `${JSON.stringify(row)}, sent: ${JSON.stringify(order)} of player ${player?.id}`;
    return isSame ? [] : [["a row with another's order", told, entry]];
  });
}

function wayOf(orderNo, order, { loss, isKept, senders }) {
  if (isKept) return 'kept';
  // Its outcome was written, too, before both were taken back.
  if (order.answeredAt <= loss.at) return 'withOutcome';
  const until = loss.until + WRITTEN_WITHIN_MS;
  return hasDied(orderNo, order, until, senders) ? 'withSender' : undefined;
}

/** The one whose log tells of the order; where none does, one that took the line with it. */
function hasDied(orderNo, { at }, until, senders) {
  const known = senders.filter(({ sent }) => sent.has(orderNo));
  const suspects = known.length > 0 ? known : senders;
  return suspects.some(({ deaths }) => deaths.some((time) => time >= at && time <= until));
}

function timesOf({ at, answeredAt }, loss) {
  const [came, answered] = [at, answeredAt].map((time) => Math.round(time - loss.at));
  return `came ${came} ms and was answered ${answered} ms after the loss`;
}

function isOf(loss, { at }) {
  return at > loss.at - TAKEN_BACK_MS && at < loss.at + LATE_MS;
}

function placeOf({ role, role_id, amount }) {
  return `${role ?? role_id} ${amount}`;
}
