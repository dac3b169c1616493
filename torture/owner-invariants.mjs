// Whose money was taken: each order is for a role whose name in the game is, byte for byte, that of the player who asked.

export async function checkOwners(play, orders) {
  const owners = await ownersOf(
    play.stage,
    new Set([...orders.values()].map(({ server }) => server)),
  );
  for (const wrong of ordersOfOthers(orders, play.model.intents, owners)) play.violate(...wrong);
}

/** By server and role, the name of the owner as the game's table writes it. */
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

/** `orders` are the commands as the game servers received them, `intents` what the players asked for. */
export function ordersOfOthers(orders, intents, owners) {
  const askedFor = new Map(intents.map((intent) => [`${intent.role} ${intent.amount}`, intent]));
  return [...orders].flatMap(([orderNo, { server, role, amount, account }]) => {
    const intent = askedFor.get(`${role} ${amount}`);
    const told = `order ${orderNo}, ${amount} from role ${role} of server ${server}`;
    if (!intent) return [['an order that nobody asked for', told]];
    const { player, entry } = intent;
    const [owner, name] = [owners.get(`${server} ${role}`), player.inGame ?? player.account];
    const wrong = [];
    if (owner !== name)
      wrong.push(["money of another's role", `${told}: "${owner}", asked by "${name}"`, entry]);
    if (account !== name)
      wrong.push(["sent under another's name", `${told}: "${account}", by "${name}"`, entry]);
    return wrong;
  });
}
