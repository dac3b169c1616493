import type { Page } from 'playwright-core';
import { TOTP } from 'otpauth';
import { press } from './player-actions.js';
import type { WebTestbed } from './web-testbed.js';

/** Adds a device with a fingerprint reader that always succeeds. */
export async function addVirtualDevice(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Returns a code after making every time step usable again, because each one is accepted only once. */
export async function codeOf(site: WebTestbed, secret: string): Promise<string> {
  await site.database.query('UPDATE player_totp SET last_step = 0');
  return new TOTP({ secret }).generate();
}

/** Sets up an app on the open account page, and returns its secret and the recovery codes. */
export async function setUpApp(site: WebTestbed, page: Page) {
  await press(page, 'Authenticator app: Set up');
  await press(page, 'Show the QR code');
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = (await page.locator('form code').textContent())!.replaceAll(' ', '');
  await page.getByLabel('Code from your app').fill(await codeOf(site, secret));
  await press(page, 'Switch on');
  await page.getByText('The authenticator app is on.').waitFor();
  return { secret, recoveryCodes: await page.locator('li code').allTextContents() };
}

export async function keepCodes(page: Page): Promise<void> {
  await page.getByLabel('I have saved these codes').check();
  await press(page, 'Continue');
}
