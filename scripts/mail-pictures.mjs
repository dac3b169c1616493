// Takes the pictures of two e-mails, as part of `npm run screenshots`.
import { join } from 'node:path';
import { MailTemplates } from '../dist/platform/mail/mail-templates.js';

const MAILS = {
  code: {
    code: '483920',
    seconds: 60,
    minutes: 1,
    account: '',
    register: 1,
    reset: 0,
    change: 0,
    zh: 0,
  },
  withdrawal: {
    account: 'Wanderer',
    amount: 2500,
    currency: 'yuanbao',
    currency_zh: '元宝',
    destination: '',
    destination_zh: '',
    server: 'Dragon Valley',
    role: 'Warrior',
    number: 1024,
    order: '01KADE5S8M2V7K5T4R6Q1N0PXY',
    time: new Date('2026-11-18T12:30:00Z'),
    url: 'https://play.example.com/withdraw',
    unknown: 0,
    zh: 0,
  },
};

/** Renders each e-mail in a wide and a narrow window, in both colour schemes. */
export async function takeMailPictures(browser, pictures) {
  const settings = { current: { timezone: 'Asia/Shanghai' } };
  const templates = new MailTemplates({ mailTemplates: '/none' }, settings);
  for (const [name, values] of Object.entries(MAILS)) {
    const kind = { name, sample: values, requiredValues: [] };
    templates.register(kind);
    const { html, attachments } = await templates.render(kind, values);
    const logo = `data:image/png;base64,${attachments[0].content}`;
    for (const [width, colorScheme] of [
      [600, 'light'],
      [360, 'dark'],
    ]) {
      const page = await browser.newPage({ viewport: { width, height: 100 }, colorScheme });
      await page.setContent(html.replace('cid:logo', logo));
      const path = join(pictures, `mail-${name}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      await page.close();
    }
  }
}
