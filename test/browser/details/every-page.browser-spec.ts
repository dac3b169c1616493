import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout, holdRequests } from '../../support/browser/chromium.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { heading, openSignedIn } from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';

// Web Vitals rates a layout shift of up to this value as good.
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

describe("The players' site", () => {
  it.each([
    ['zh-CN', '传奇之门', 'zh-CN'],
    ['fr-FR', 'Gatehouse', 'en'],
  ] as const)('in a browser set to %s has the title %s', async (language, name, tag) => {
    const page = await open('/signin', { language });
    await heading(page, name).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(tag);
    expect(await page.title()).toContain(name);
  });

  it('changes its language on request and remembers the choice', async () => {
    const page = await open('/signin');
    await page.getByRole('button', { name: '中文' }).click();
    await heading(page, '传奇之门').waitFor();
    await page.reload();
    await heading(page, '传奇之门').waitFor();
  });
});

describe("Every page of the players' site", () => {
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

  it("shows the operators' notices with their time, and the support links", async () => {
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
    await page.getByRole('button', { name: `关闭公告：${text.zh}` }).click();
    await page.getByText(text.zh).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('contentinfo').waitFor();
    expect(await page.getByText(text.zh).count()).toBe(0);
    await site.changeSettings({});
  });

  it("shows the lines of the `legal` setting in its footer, in the visitor's language", async () => {
    const icp = { zh: '京ICP备00000000号', en: 'ICP 00000000' };
    const advice = { zh: '抵制不良游戏，拒绝盗版游戏。', en: 'Play in moderation.' };
    const before = await open('/signin');
    await before.locator('h1').waitFor();
    expect(await before.getByRole('contentinfo').getByRole('listitem').count()).toBe(0);
    await site.changeSettings({
      legal: [{ text: icp, link: 'https://beian.miit.gov.cn/' }, { text: advice }],
    });
    // A new window has not cached the configuration.
    const page = await open('/signin', { width: 320, height: 640 });
    for (const path of ['/signin', '/agree', '/no-such-page']) {
      await page.goto(site.url + path);
      const lines = page.getByRole('contentinfo').getByRole('listitem');
      await lines.filter({ hasText: advice.en }).waitFor();
      expect(await lines.allTextContents()).toEqual([icp.en, advice.en]);
      expect(await lines.getByRole('link').getAttribute('href')).toBe('https://beian.miit.gov.cn/');
    }
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('contentinfo').getByText(advice.zh).waitFor();
    await site.changeSettings({});
  });

  it('keeps the brand below two notices and the toolbar at every width', async () => {
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

  it.each([
    [1366, 660],
    [1440, 900],
    [820, 1180],
    [390, 664],
  ])(
    'shows the title above the moon at %i by %i pixels, even below two notices',
    async (width, height) => {
      const text = { zh: '今晚两点至四点维护', en: 'Maintenance tonight from two to four' };
      const edges = async () => {
        const page = await open('/signin', { width, height });
        await page.locator('h1').waitFor();
        const edge = (selector: string, side: 'top' | 'bottom') =>
          page.locator(selector).evaluate((part, name) => part.getBoundingClientRect()[name], side);
        return {
          words: await edge('.hero__line', 'bottom'),
          moon: await edge('[fill="url(#moon)"]', 'top'),
          sky: await edge('[fill="#07070c"]', 'top'),
        };
      };
      const plain = await edges();
      await site.changeSettings({ notices: [{ text, level: 'warning' }, { text }] });
      const noticed = await edges();
      await site.changeSettings({});
      expect(noticed.words).toBeGreaterThan(plain.words);
      for (const { words, moon, sky } of [plain, noticed]) {
        expect(words).toBeLessThanOrEqual(moon);
        // The scene moves down, but its sky still begins at the top of the screen.
        expect(sky).toBeLessThanOrEqual(0);
      }
    },
  );

  it('shows the sign-in button without scrolling on a phone of 390 by 664 pixels', async () => {
    const page = await open('/signin', { width: 390, height: 664 });
    const button = page.locator('form button[type=submit]');
    await button.waitFor();
    const { y, height } = (await button.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(664);
  });

  it('prints dark text on white paper without controls', async () => {
    const page = await open('/agree');
    await page.locator('.agreement article#en h2').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const colourOf = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    expect(await colourOf('.agreement article#en > p', 'color')).toBe('rgb(0, 0, 0)');
    expect(await colourOf('html', 'backgroundColor')).toBe('rgba(0, 0, 0, 0)');
    const controls = '.button:visible, .nav:visible, .languages:visible, .scene:visible';
    expect(await page.locator(controls).count()).toBe(0);
  });

  it('prints the account beside its withdrawals, without the form', async () => {
    const { page, account } = await openSignedIn(site, '/withdraw');
    await page.getByLabel('Amount').waitFor();
    await page.setViewportSize({ width: 700, height: 900 });
    await page.emulateMedia({ media: 'print' });
    const { width } = (await page.getByTitle(`Signed in as ${account}`).boundingBox())!;
    expect(width).toBeGreaterThan(20);
    expect(await page.getByLabel('Amount').isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Your withdrawals' }).waitFor();
  });

  it('shows the current page and language in forced colours', async () => {
    const { page } = await openSignedIn(site, '/withdraw');
    await page.emulateMedia({ forcedColors: 'active' });
    // Without this, the browser paints the page's colour behind the text, which then has no contrast.
    const adjust =
      "getComputedStyle(document.querySelector('.nav [aria-current]')).forcedColorAdjust";
    expect(await page.evaluate(adjust)).toBe('none');
    const backgrounds = (await page.evaluate(
      "[...document.querySelectorAll('.nav a')].map((link) => getComputedStyle(link).backgroundColor)",
    )) as string[];
    expect(backgrounds[1]).not.toBe(backgrounds[0]);
    expect(backgrounds[2]).toBe(backgrounds[0]);
    const languages = (await page.evaluate(
      "[...document.querySelectorAll('.languages button')].map((one) => getComputedStyle(one).backgroundColor)",
    )) as string[];
    expect(languages[1]).not.toBe(languages[0]);
    expect(await page.locator('.scene:visible').count()).toBe(0);
  });

  it('causes no error response on an anonymous visit', async () => {
    const page = await open('/no-such-page');
    const errors: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
    });
    for (const path of ['/', '/signin', '/agree']) {
      await page.goto(site.url + path);
      await page.waitForLoadState('networkidle');
    }
    expect(errors).toEqual([]);
  });

  it('shows its frame before the scripts arrive, and skeletons before the data', async () => {
    const { page } = await openSignedIn(site, '/');
    const releaseScripts = await holdRequests(page, '**/assets/*.js');
    const releaseData = await holdRequests(page, '**/api/server/list');
    await page.goto(`${site.url}/`, { waitUntil: 'commit' });
    await page.locator('#frame .skeleton').first().waitFor();
    releaseScripts();
    await page.locator('main .skeleton').first().waitFor();
    expect(await page.locator('#frame').count()).toBe(0);
    await page.goto(`${site.url}/withdraw`);
    await page.locator('main .skeleton').first().waitFor();
    releaseData();
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
  });

  it('does not shift while it loads, and animates the scene only where there is no text to read', async () => {
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

  it('keeps the list of devices in place on a phone when the rest of the account arrives', async () => {
    const { page } = await openSignedIn(site, '/');
    await page.setViewportSize({ width: 412, height: 823 });
    await page.addInitScript(COUNT_LAYOUT_SHIFTS);
    const release = await holdRequests(page, '**/api/account');
    await page.goto(`${site.url}/account`);
    await page.getByText('This device').waitFor();
    release();
    await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(Number(await page.evaluate('shifted'))).toBeLessThanOrEqual(GOOD_LAYOUT_SHIFT);
  });

  it('asks the player to enable JavaScript if it is disabled', async () => {
    const page = await open('/', { width: 360, height: 640, scripts: false });
    const words = page.locator('noscript');
    expect(await words.textContent()).toContain('Gatehouse needs JavaScript.');
    const { y, height } = (await words.boundingBox())!;
    expect(y + height).toBeLessThan(640);
  });
});

describe('The agreement page', () => {
  it("shows only the visitor's language, even after a change, and uses the site's terms", async () => {
    const page = await open('/agree', { language: 'zh-CN' });
    const articles = page.locator('.agreement article:visible');
    await articles.first().waitFor();
    expect(await articles.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['zh']);
    expect(await articles.textContent()).toMatch(/“核实中”/);
    expect(await articles.textContent()).not.toContain('您');
    await page.getByRole('button', { name: 'EN', exact: true }).click();
    await page.locator('.agreement article#en').waitFor();
    expect(await articles.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['en']);
    expect(await page.locator('.agreement a[href="#zh"]:visible').count()).toBe(0);
    // The line between the articles is hidden while only one article is shown.
    const rule = "getComputedStyle(document.querySelector('.agreement article#en')).borderTopWidth";
    expect(await page.evaluate(rule)).toBe('0px');
  });

  it('shows the text from the service', async () => {
    const page = await open('/agree');
    await page.getByRole('heading', { name: 'User Agreement', exact: true }).waitFor();
    const source = await (await fetch(`${site.url}/api/misc/agree`)).text();
    const sentence = /<article id="en"[^]*?<p>([^<]{20,})<\/p>/.exec(source)![1]!;
    await page.getByText(sentence.slice(0, 60)).first().waitFor();
  });

  it('keeps structure and links, but removes scripts, styles, forms and images', async () => {
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
        '<a>script</a><a>tab</a><a>data</a><a>foreign</a><a>backslash</a><a>hidden</a><a>ftp</a>',
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
  '<a href="/\\evil.example">backslash</a>',
  '<a href="/&#9;/evil.example">hidden</a>',
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
