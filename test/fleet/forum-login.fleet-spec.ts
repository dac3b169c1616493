import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unique } from '../support/accounts.js';
import { Browser } from '../support/api/browser.js';
import { Client } from '../support/api/client.js';
import { type Deployment, freshDeployment } from '../support/api/deployment.js';
import { agreeAs, type Forum, startForum } from '../support/servers/forum.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';

const PUBLIC_URL = 'https://play.example';
const START = `${PUBLIC_URL}/api/forumauth/authorize?return_to=/withdraw`;
const CALLBACK = `${PUBLIC_URL}/api/forumauth/callback`;

let deployment: Deployment;
let forum: Forum;
let instances: [Gatehouse, Gatehouse];

beforeAll(async () => {
  deployment = await freshDeployment();
  forum = await startForum({ publicUrl: PUBLIC_URL });
  const env = { ...forum.env, ...deployment.env };
  instances = await Promise.all([startGatehouse(env), startGatehouse(env)]);
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await forum.stop();
  await deployment.drop();
});

/** Starts a login at one instance and returns to another. */
async function landing(name: string, comeBack = 1): Promise<URLSearchParams> {
  const hosts: Record<string, string> = { [PUBLIC_URL]: instances[0].url };
  const browser = new Browser(hosts);
  const callback = await browser.follow(START, CALLBACK, agreeAs(browser, name));
  hosts[PUBLIC_URL] = instances[comeBack]!.url;
  const { location = '' } = await browser.visit(callback);
  return new URLSearchParams(new URL(location).hash.slice(1));
}

const bindOn = ({ url }: Gatehouse, ticket: string | null) =>
  new Client(url).post('/api/forumauth/bind', { ticket });

describe('A forum login across two instances', () => {
  it('can start at one instance, return to the other, and create the account at the first', async () => {
    const news = await landing(unique('person'));
    expect(news.get('linked')).toBe('0');
    expect(news.get('return_to')).toBe('/withdraw');
    const { body } = await bindOn(instances[0], news.get('ticket'));
    expect(body.data).toMatchObject({ created: true });
    const { token } = body.data;
    const bindings = await new Client(instances[1].url).get('/api/bind', { token });
    expect(bindings.body.data.bindings).toHaveLength(1);
  });

  it('accepts its state once, whichever instance receives it', async () => {
    const hosts: Record<string, string> = { [PUBLIC_URL]: instances[0].url };
    const browser = new Browser(hosts);
    const callback = await browser.follow(START, CALLBACK, agreeAs(browser, unique('person')));
    const replays = instances.map((instance) => {
      const replay = new Browser({ [PUBLIC_URL]: instance.url });
      replay.cookies.push(...browser.cookies);
      return replay.visit(callback);
    });
    const hashes = (await Promise.all(replays)).map(({ location = '' }) => new URL(location).hash);
    expect(hashes.toSorted()).toEqual([
      '#error=oauth_state_invalid&return_to=%2Fwithdraw',
      expect.stringMatching(/^#ticket=/),
    ]);
  });

  it('accepts a ticket once even if both instances receive it in parallel', async () => {
    const ticket = (await landing(unique('person'))).get('ticket');
    const uses = Array.from({ length: 4 }, (_, index) => bindOn(instances[index % 2]!, ticket));
    const answers = [...(await Promise.all(uses)), await bindOn(instances[0], ticket)];
    const outcomes = answers.map(({ body }) => String(body.error ?? 'ok'));
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
    // A busy machine may return 503, which does not use up the ticket.
    for (const outcome of outcomes)
      expect(['ok', 'ticket_invalid', 'service_unavailable']).toContain(outcome);
  });

  it('creates one account for two tabs that finish at both instances in parallel', async () => {
    const name = unique('person');
    const tabs = [await landing(name, 0), await landing(name, 1)];
    const answers = await Promise.all(
      tabs.map((news, index) => bindOn(instances[index]!, news.get('ticket'))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body.data.account as string)).size).toBe(1);
    expect(answers.filter(({ body }) => body.data.created)).toHaveLength(1);
  });

  it('leaves no ticket, state, code or secret in the logs', async () => {
    const ticket = (await landing(unique('person'))).get('ticket')!;
    await bindOn(instances[0], ticket);
    const logs = instances.map((instance) => instance.logs()).join('\n');
    expect(logs).toContain('/api/forumauth/callback');
    expect(logs).not.toContain(ticket.slice(0, 60));
    expect(logs).not.toMatch(/code=|state=|#ticket|a secret with/);
  });
});
