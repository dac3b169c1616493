import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Row } from './embedded-database.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// The headless shell needs half as much processor time as the full browser.
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
/** Ends only a test that hangs, because a busy machine takes ten times as long as an idle one. */
const TIMEOUT_MS = 60_000;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface WindowOptions {
  language?: 'zh-CN' | 'en-US' | 'fr-FR';
  width?: number;
  height?: number;
  scheme?: 'dark' | 'light';
  cookie?: { name: string; value: string };
  scripts?: boolean;
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}

/** Runs the system's Chromium, and collects every page's errors and warnings. */
export class Chromium {
  private readonly windows: BrowserContext[] = [];
  private problems: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<Chromium> {
    const options = { executablePath: EXECUTABLE, args: FLAGS, timeout: TIMEOUT_MS };
    return new Chromium(await chromium.launch(options));
  }

  /** Opens a window that shares neither storage nor cookies with other windows. */
  async open(address: string, options: WindowOptions = {}): Promise<Page> {
    const { language = 'en-US', width = 1280, height = 800, scripts = true } = options;
    const window = await this.browser.newContext({
      locale: language,
      viewport: { width, height },
      javaScriptEnabled: scripts,
      reducedMotion: 'reduce',
      colorScheme: options.scheme ?? 'light',
    });
    this.windows.push(window);
    if (options.cookie)
      await window.addCookies([{ ...options.cookie, url: new URL(address).origin }]);
    return this.openTab(window, address);
  }

  /** Opens a tab that shares the window's cookies, but not its session storage. */
  async openTab(window: BrowserContext, address: string): Promise<Page> {
    const page = this.listenTo(await window.newPage());
    await page.goto(address);
    return page;
  }

  /** Starts another browser with a profile that persists after the browser is closed. */
  async openProfile(folder: string, address: string): Promise<Page> {
    const window = await chromium.launchPersistentContext(folder, {
      executablePath: EXECUTABLE,
      args: FLAGS,
      timeout: TIMEOUT_MS,
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    this.windows.push(window);
    return this.openTab(window, address);
  }

  /** Collects the problems of a page that was opened by a link. */
  listenTo(page: Page): Page {
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      // Chromium logs every error response, and Vite logs lost chunks; tests cause both on purpose.
      const isRefusal = /^(Failed to load resource|Couldn't load preload)/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isRefusal)
        this.problems.push(message.text());
    });
    return page;
  }

  /** Closes all windows and fails on an error, a warning or a violation of the content security policy. */
  async closeAndExpectNoProblems(): Promise<void> {
    const windows = this.windows.splice(0);
    // A request that a test still holds must not fail when its page is closed.
    const pages = windows.flatMap((window) => window.pages());
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    await Promise.all(windows.map((window) => window.close()));
    const problems = this.problems;
    this.problems = [];
    expect(problems).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** Checks that axe finds no serious violation and that nothing scrolls horizontally. */
export async function expectAccessibleLayout(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow, `${page.url()} is wider than the screen`).toBe(0);
  await expectNoViolation(page, {});
}

/** Checks the contrast of the same page in another colour scheme. */
export async function expectReadableIn(page: Page, scheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await expectNoViolation(page, { runOnly: ['color-contrast'] });
}

async function expectNoViolation(page: Page, axeOptions: { runOnly?: string[] }): Promise<void> {
  // The script is evaluated because the page's content security policy rejects an added script.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  const options = JSON.stringify({ ...axeOptions, resultTypes: ['violations'] });
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResult;
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(serious, page.url()).toEqual([]);
}

/** Holds matching requests until the returned function is called. */
export async function holdRequests(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, (route) => released.then(() => route.continue()));
  return release;
}

/** Changes the page's `GET /api/config` response from the next load on. */
export async function changeConfig(page: Page, change: (config: Row) => void): Promise<void> {
  await page.route('**/api/config', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: Row };
    change(answer.data);
    await route.fulfill({ json: answer });
  });
}
