import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { heading, openSignedIn } from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';

// The bound of Web Vitals.
const GOOD_LAYOUT_SHIFT = 0.1;
let site: WebTestbed;
const open = (path: string, options = {}) => site.chromium.open(site.url + path, options);

beforeAll(async () => {
  site = await WebTestbed.start();
  await site.addServer({ name: 'Dragon Valley' });
  await site.addServer({ name: 'Ox Demon Cave', status: 'maintenance' });
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => site.stop());

describe('The language of the players’ site', () => {
  it.each([
    ['zh-CN', '传奇之门', 'zh-CN'],
    ['fr-FR', 'Gatehouse', 'en'],
  ] as const)('follows a browser in %s with %s', async (language, name, tag) => {
    const page = await open('/signin', { language });
    await heading(page, name).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(tag);
    expect(await page.title()).toContain(name);
  });

  it('can be changed and is remembered', async () => {
    const page = await open('/signin');
    await page.getByRole('button', { name: '中文' }).click();
    await heading(page, '传奇之门').waitFor();
    await page.reload();
    await heading(page, '传奇之门').waitFor();
  });
});

describe('Every page of the players’ site', () => {
  it.each([
    [360, 'zh-CN'],
    [1280, 'en-US'],
  ] as const)('is accessible at %i px in %s', async (width, language) => {
    const page = await open('/signin', { language, width });
    const check = async (path: string) => {
      await page.goto(site.url + path);
      await page.locator('h1').waitFor();
      await expectAccessibleLayout(page);
    };
    for (const path of ['/signin', '/signin?mode=register', '/signin?mode=reset', '/agree', '/no'])
      await check(path);
    await page.goto(`${site.url}/signin`);
    await page.locator('[name=account]').fill(await site.createAccount(newMailbox()));
    await page.locator('[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Dragon Valley').first().waitFor();
    for (const path of ['/', '/withdraw', '/account']) await check(path);
  });

  it('shows the operators’ notices with their time, and the links for support', async () => {
    const text = { zh: '两点起维护', en: 'Maintenance from two' };
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await site.changeSettings({
      notices: [{ text, level: 'warning', until, link: 'https://forum.example/1' }],
      support_url: 'mailto:help@example.com',
      privacy_url: 'https://example.com/privacy',
    });
    const { page } = await openSignedIn(site, '/');
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of ['/', '/withdraw', '/agree', '/no-such-page']) {
      await page.goto(site.url + path);
      await page.getByText(text.en).waitFor();
      expect(await page.locator('time').first().textContent()).toMatch(
        /^\s*Until [^U]*\d\d\s*[AP]M\s*$/,
      );
      const links = page.getByRole('contentinfo').locator('a');
      expect(
        await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
      ).toEqual(expect.arrayContaining(['mailto:help@example.com', 'https://example.com/privacy']));
    }
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByText(text.zh).waitFor();
    await page.getByRole('button', { name: `关闭公告: ${text.zh}` }).click();
    await page.getByText(text.zh).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('contentinfo').waitFor();
    expect(await page.getByText(text.zh).count()).toBe(0);
    await site.changeSettings({});
  });

  it('keeps the brand below two notices and the tools at every width', async () => {
    const text = { zh: '今晚两点至四点维护', en: 'Maintenance tonight from two to four' };
    await site.changeSettings({
      notices: [
        { text, level: 'warning' },
        { text, level: 'info' },
      ],
    });
    const page = await open('/signin');
    await page.locator('h1').waitFor();
    for (const width of [320, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const bottomOfHeader = Number(
        await page.evaluate("document.querySelector('header').getBoundingClientRect().bottom"),
      );
      const top = Number(
        await page.evaluate("document.querySelector('h1').getBoundingClientRect().top"),
      );
      expect(top, `at ${width} px`).toBeGreaterThanOrEqual(bottomOfHeader);
    }
    await site.changeSettings({});
  });

  it('does not shift while it loads, and animates the scene only where nothing is read', async () => {
    const { page } = await openSignedIn(site, '/');
    await page.setViewportSize({ width: 360, height: 640 });
    await page.addInitScript(COUNT_LAYOUT_SHIFTS);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    for (const path of ['/', '/withdraw', '/agree', '/no-such-page']) {
      await page.goto(site.url + path);
      await page.waitForLoadState('networkidle');
      await page.locator('.scene').waitFor({ state: 'attached' });
      expect(Number(await page.evaluate('shifted')), path).toBeLessThanOrEqual(GOOD_LAYOUT_SHIFT);
      const animations = Number(
        await page.evaluate(
          "document.querySelector('.scene').getAnimations({ subtree: true }).length",
        ),
      );
      if (path === '/no-such-page') expect(animations).toBeGreaterThan(10);
      else expect(animations, path).toBe(0);
    }
  });

  it('asks for JavaScript where it is disabled', async () => {
    const page = await open('/', { width: 360, height: 640, scripts: false });
    const words = page.locator('noscript');
    expect(await words.textContent()).toContain('Gatehouse needs JavaScript.');
    const { y, height } = (await words.boundingBox())!;
    expect(y + height).toBeLessThan(640);
  });
});

describe('The agreement page', () => {
  it('shows the text that the service has', async () => {
    const page = await open('/agree');
    await page.getByRole('heading', { name: 'User Agreement', exact: true }).waitFor();
    const source = await (await fetch(`${site.url}/api/misc/agree`)).text();
    const sentence = /<p>([^<]{20,})<\/p>/.exec(source)![1]!;
    await page.getByText(sentence.slice(0, 60)).first().waitFor();
  });

  it('keeps structure and links, and removes scripts, styles, forms and images', async () => {
    const page = await open('/signin');
    await page.route('**/api/misc/agree', (route) =>
      route.fulfill({ contentType: 'text/html', body: HOSTILE_AGREEMENT }),
    );
    await page.goto(`${site.url}/agree`);
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

const COUNT_LAYOUT_SHIFTS = `window.shifted = 0; new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value;
}).observe({ type: 'layout-shift', buffered: true })`;

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
