import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { PASSWORD } from '../support/api/factories.js';
import { heading } from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

let stage: WebTestbed;
const open = (path: string, wishes = {}) => stage.chromium.open(stage.url + path, wishes);

beforeAll(async () => {
  stage = await WebTestbed.start();
  await stage.addServer({ name: 'Dragon Valley' });
  await stage.addServer({ name: 'Ox Demon Cave', status: 'maintenance' });
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(() => stage.stop());

describe('the language', () => {
  it.each([
    ['zh-CN', '传奇之门', 'zh-CN'],
    ['en-US', 'Gatehouse', 'en'],
    ['fr-FR', 'Gatehouse', 'en'],
  ] as const)('of a browser in %s: %s', async (language, name, tag) => {
    const page = await open('/signin', { language });
    await heading(page, name).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(tag);
    expect(await page.title()).toContain(name);
  });

  it('is switched at once, and remembered', async () => {
    const page = await open('/signin');
    await page.getByRole('button', { name: '中文' }).click();
    await heading(page, '传奇之门').waitFor();
    await page.reload();
    await heading(page, '传奇之门').waitFor();
  });
});

describe.each([
  [360, 'zh-CN', '金库'],
  [1280, 'en-US', 'Treasury'],
] as const)('at %i px, in %s', (width, language, treasury) => {
  it('every page is fit to be used', async () => {
    for (const path of [
      '/signin',
      '/signin?mode=register',
      '/signin?mode=reset',
      '/agree',
      '/no',
    ]) {
      const page = await open(path, { language, width });
      // The document is loaded before its page is drawn.
      await page.locator('h1').waitFor();
      await expectAccessibleLayout(page);
    }
    const page = await open('/', { language, width });
    await page.locator('[name=account]').fill(await stage.createAccount());
    await page.locator('[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Dragon Valley').waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('link', { name: treasury }).click();
    await page.locator('[name=server_id]').waitFor();
    await expectAccessibleLayout(page);
  });
});

describe('the agreement', () => {
  it('is shown in its own words', async () => {
    const page = await open('/agree');
    await page.getByRole('heading', { name: 'User Agreement', exact: true }).waitFor();
    const source = await (await fetch(`${stage.url}/api/misc/agree`)).text();
    const sentence = /<p>([^<]{20,})<\/p>/.exec(source)![1]!;
    expect(await page.getByText(sentence.slice(0, 60)).count()).toBeGreaterThan(0);
  });

  it('keeps its structure and links, and none of its scripts, styles, forms or images', async () => {
    const page = await open('/signin');
    await page.route('**/api/misc/agree', (route) =>
      route.fulfill({ contentType: 'text/html', body: HOSTILE_AGREEMENT }),
    );
    await page.goto(`${stage.url}/agree`);
    await page.getByText('Last words').waitFor();
    expect((await page.locator('.agreement').innerHTML()).trim()).toBe(
      [
        '<h2 id="top" lang="en">Title</h2>',
        '<p>Plain <b>bold</b> boxed</p>',
        '<a href="https://example.com/x" rel="noopener">web</a>',
        '<a href="mailto:help@example.com" rel="noopener">mail</a>',
        '<a href="/agree" rel="noopener">own</a>',
        '<a href="#top" rel="noopener">part</a>',
        '<a>script</a><a>tab</a><a>data</a><a>foreign</a><a>ftp</a>',
        '<span>no link</span>',
        '<table><tbody><tr><th scope="col" colspan="2">Cell</th></tr></tbody></table>',
        'Send',
        '<p>Last words</p>',
      ].join(''),
    );
    expect(await page.evaluate('window.hit')).toBeUndefined();
  });
});

const HOSTILE_AGREEMENT = `<!doctype html><html><head><title>Hidden</title><style>body { display: none }</style>
<script>window.hit = 1</script></head><body onload="window.hit = 1">
${[
  '<h1 id="top" lang="en" class="x" style="color: red" onclick="window.hit = 1">Title</h1>',
  '<!-- note --><p data-x="1" aria-label="x" title="x">Plain <b>bold</b> <custom-box>boxed</custom-box></p>',
  '<a href="https://example.com/x" target="_blank" ping="/x" download>web</a>',
  '<a href="mailto:help@example.com">mail</a>',
  '<a href="/agree">own</a>',
  '<a href="#top">part</a>',
  '<a href="javascript:window.hit = 1">script</a>',
  '<a href="java&#9;script:window.hit = 1">tab</a>',
  '<a href="data:text/html,x">data</a>',
  '<a href="//evil.example">foreign</a>',
  '<a href="ftp://example.com">ftp</a>',
  '<span href="https://example.com">no link</span>',
  '<table><tr><th scope="col" colspan="2" width="9">Cell</th></tr></table>',
  '<img src="/x.png" onerror="window.hit = 1"><svg onload="window.hit = 1"><a href="#x">svg</a></svg>',
  '<math><mtext><img src="/x" onerror="window.hit = 1"></mtext></math><object data="/x">object</object>',
  '<iframe srcdoc="<script>parent.hit = 1</script>">frame</iframe><template>template</template>',
  '<noscript>noscript</noscript><video src="/x"></video><link rel="stylesheet" href="/x.css">',
  '<form action="https://evil.example"><input name="password"><button>Send</button></form>',
  '<p>Last words</p>',
].join('')}</body></html>`;
