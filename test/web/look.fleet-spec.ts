import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectGoodLook } from '../support/chromium.js';
import { PASSWORD } from '../support/factories.js';
import { heading } from '../support/web-player.js';
import { WebStage } from '../support/web-stage.js';

let stage: WebStage;
const open = (path: string, wishes = {}) => stage.chromium.open(stage.url + path, wishes);

beforeAll(async () => {
  stage = await WebStage.start();
  await stage.createZone({ name: 'Dragon Valley' });
  await stage.createZone({ name: 'Ox Demon Cave', status: 'maintenance' });
});
afterEach(() => stage.chromium.expectSilence());
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
    for (const path of ['/signin', '/signin?mode=register', '/signin?mode=reset', '/agree', '/no'])
      await expectGoodLook(await open(path, { language, width }));
    const page = await open('/', { language, width });
    await page.locator('[name=account]').fill(await stage.createAccount());
    await page.locator('[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Dragon Valley').waitFor();
    await expectGoodLook(page);
    await page.getByRole('link', { name: treasury }).click();
    await page.getByRole('combobox').waitFor();
    await expectGoodLook(page);
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
});
