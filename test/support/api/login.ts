import type { TestApp } from './app.js';

/** Returns functions that log in to the service that `beforeAll` starts. */
export function loginRequests(service: () => TestApp) {
  let lastAddress = 0;

  /** Returns an address that no other test uses. */
  function newAddress(): string {
    lastAddress++;
    return `198.18.${lastAddress >> 8}.${lastAddress & 255}`;
  }

  function login(account: string, password: string, from: string) {
    return service().client.post('/api/login', { account, password }, { from });
  }

  async function fail(account: string, times: number, from: () => string): Promise<string[]> {
    const errors: string[] = [];
    for (let time = 0; time < times; time++)
      errors.push((await login(account, 'wrong', from())).body.error);
    return errors;
  }

  return { newAddress, login, fail };
}
