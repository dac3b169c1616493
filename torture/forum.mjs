// Runs a fake forum with logins under any name. Instances reach the forum through a fault proxy.
import { FaultProxy } from './fault-proxy.mjs';
import { PUBLIC_URL } from './secrets.mjs';
import { PlainForum } from './support.mjs';

export class Forum {
  #forum;
  #turn = Promise.resolve();

  static async start() {
    const forum = new Forum();
    forum.#forum = await PlainForum.start(PUBLIC_URL);
    const { port } = new URL(forum.#forum.env.FORUM_TOKEN_URL);
    forum.proxy = await FaultProxy.start(Number(port));
    forum.env = { ...forum.#forum.env };
    for (const name of ['FORUM_TOKEN_URL', 'FORUM_USERINFO_URL'])
      forum.env[name] = forum.env[name].replace(`:${port}/`, `:${forum.proxy.port}/`);
    return forum;
  }

  /** Logs in as `person` at the authorization URL. Returns the redirect, or undefined if the login fails. */
  async logIn(location, person) {
    // The fake forum has one current user, so logins run one at a time.
    const turn = this.#turn.then(async () => {
      this.#forum.person = person;
      const answer = await fetch(location, { redirect: 'manual' });
      return answer.headers.get('Location');
    });
    // A reused connection may just have been closed, in which case the login is abandoned.
    this.#turn = turn.catch(() => undefined);
    return this.#turn;
  }

  async stop() {
    await this.proxy.stop();
    await this.#forum.stop();
  }
}
