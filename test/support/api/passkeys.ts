import { expect } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import type { TestApp } from './app.js';
import type { Answer } from './client.js';
import { type Forgery, SoftwareAuthenticator } from './software-authenticator.js';

/** Returns functions that use passkeys at the service that `beforeAll` starts. */
export function passkeyRequests(service: () => TestApp) {
  const post = (path: string, body: object, token?: string, request = {}): Promise<Answer> =>
    service().client.post(`/api/${path}`, body, { token, ...request });
  const newDevice = () =>
    new SoftwareAuthenticator(new URL(service().app.get(Environment).FRONTEND_URL).origin);
  const options = async (path: string, body: object = {}, token?: string) => {
    const answer = await post(`${path}/options`, body, token);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  };

  async function register(token: string, device: SoftwareAuthenticator, forgery: Forgery = {}) {
    const response = device.create(await options('account/passkeys', {}, token), forgery);
    return post('account/passkeys', { name: 'phone', response }, token);
  }

  /** Creates a device with a passkey for the account. */
  async function addDevice(token: string): Promise<SoftwareAuthenticator> {
    const device = newDevice();
    const answer = await register(token, device);
    expect(answer.status, answer.text).toBe(200);
    return device;
  }

  async function signIn(device: SoftwareAuthenticator, forgery: Forgery = {}, request = {}) {
    const response = device.get(await options('login/passkey'), forgery);
    return post('login/passkey', { response }, undefined, request);
  }

  return { post, options, newDevice, register, addDevice, signIn };
}
