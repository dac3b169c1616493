// The forum: anybody may log in there under any name. Instances reach it through a proxy that can be broken.
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

  /** Where the forum sends a browser that came with `location`, once its owner has logged in as `person`; or undefined. */
  async logIn(location, person) {
    // It knows one person at a time.
    const turn = this.#turn.then(async () => {
      this.#forum.person = person;
      const answer = await fetch(location, { redirect: 'manual' });
      return answer.headers.get('Location');
    });
    // A kept connection may have just been closed: the browser's owner gives up.
    this.#turn = turn.catch(() => undefined);
    return this.#turn;
  }

  async stop() {
    await this.proxy.stop();
    await this.#forum.stop();
  }
}
