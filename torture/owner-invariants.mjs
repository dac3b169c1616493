// Checks that every order is for a role whose account name equals the requesting player's name byte for byte.

export async function checkOwners(play, orders) {
  const owners = await ownersOf(
    play.stage,
    new Set([...orders.values()].map(({ server }) => server)),
  );
  for (const wrong of ordersOfOthers(orders, play.model.intents, owners)) play.violate(...wrong);
}

/** Returns the owners' exact names in the game database, by server and role. */
async function ownersOf({ gameDatabase }, servers) {
  const owners = new Map();
  for (const server of servers) {
    const rows = await gameDatabase.query(
      `SELECT actorid AS role, HEX(accountname) AS name FROM mir_actor_s${server}.actors`,
    );
    for (const { role, name } of rows)
      owners.set(`${server} ${role}`, Buffer.from(name, 'hex').toString());
  }
  return owners;
}

/** `orders` are the commands that the game servers received, and `intents` are the players' requests. */
export function ordersOfOthers(orders, intents, owners) {
  const requested = new Map(intents.map((intent) => [`${intent.role} ${intent.amount}`, intent]));
  return [...orders].flatMap(([orderNo, { server, role, amount, account }]) => {
    const intent = requested.get(`${role} ${amount}`);
    const detail = `order ${orderNo}, ${amount} from role ${role} of server ${server}`;
    if (!intent) return [['an order without a request', detail]];
    const { player, entry } = intent;
    const [owner, name] = [owners.get(`${server} ${role}`), player.inGame ?? player.account];
    const wrong = [];
    if (owner !== name)
      wrong.push(["money of another's role", `${detail}: "${owner}", asked by "${name}"`, entry]);
    if (account !== name)
      wrong.push(["sent under another's name", `${detail}: "${account}", by "${name}"`, entry]);
    return wrong;
  });
}
