import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// The same engine without windows, menus and what fills in forms: half of the processor time.
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface WindowOptions {
  language?: 'zh-CN' | 'en-US' | 'fr-FR';
  width?: number;
  height?: number;
  scheme?: 'dark' | 'light';
  /** Sent with the first request already. */
  cookie?: { name: string; value: string };
  /** False: a browser without scripts. */
  scripts?: boolean;
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}

/** The system's Chromium, as a player has it, with everything that it complains of written down. */
export class Chromium {
  private readonly windows: BrowserContext[] = [];
  private complaints: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<Chromium> {
    return new Chromium(await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS }));
  }

  /** A window of its own: nothing is shared with the others, neither storage nor cookies. */
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

  /** Another tab of the same window: cookies are shared, the session storage is not. */
  async openTab(window: BrowserContext, address: string): Promise<Page> {
    const page = this.listenTo(await window.newPage());
    await page.goto(address);
    return page;
  }

  /** A browser of its own with a folder for its profile, which remembers what is to be remembered. */
  async openProfile(folder: string, address: string): Promise<Page> {
    const window = await chromium.launchPersistentContext(folder, {
      executablePath: EXECUTABLE,
      args: FLAGS,
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    this.windows.push(window);
    return this.openTab(window, address);
  }

  /** Writes down what goes wrong in a page. */
  listenTo(page: Page): Page {
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      // The browser itself notes every answer that is a refusal; those are part of the tests.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isRefusal)
        this.complaints.push(message.text());
    });
    return page;
  }

  /** After each test: no error, no warning, no breach of the content policy. */
  async expectNoComplaints(): Promise<void> {
    await Promise.all(this.windows.splice(0).map((window) => window.close()));
    const complaints = this.complaints;
    this.complaints = [];
    expect(complaints).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** Nothing that shuts somebody out, and nothing that has to be scrolled sideways. */
export async function expectAccessibleLayout(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow, `${page.url()} is wider than the screen`).toBe(0);
  await expectNoViolation(page, {});
}

/** The same page in the other scheme: nothing that its colours hide. */
export async function expectReadableIn(page: Page, scheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await expectNoViolation(page, { runOnly: ['color-contrast'] });
}

async function expectNoViolation(page: Page, axeOptions: { runOnly?: string[] }): Promise<void> {
  // Evaluated, not added as a script: the page's own policy would refuse it, and should.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  const options = JSON.stringify({ ...axeOptions, resultTypes: ['violations'] });
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResult;
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(serious, page.url()).toEqual([]);
}
