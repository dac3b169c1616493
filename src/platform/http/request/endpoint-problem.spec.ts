import { describe, expect, it } from 'vitest';
import { Environment, SANDBOX_GM_PATH } from '../../config/environment.js';
import { ownEndpointProblem } from './endpoint-problem.js';

describe('ownEndpointProblem', () => {
  const environment = Object.assign(new Environment(), {
    HOST: '192.0.2.10',
    PORT: 3001,
    DESK_HOST: '127.0.0.1',
    DESK_PORT: 3002,
    PUBLIC_URL: 'https://play.example.com',
    DATABASE_URL: 'mysql://localhost/gatehouse',
  });
  const settings = { desk: { four_eyes_above: 0, instances: ['192.0.2.12:3003'] } };
  const problemOf = (host: string, port: number, path?: string, given = environment) =>
    ownEndpointProblem({ host, port, path }, given, settings);

  it.each([
    ['127.0.0.1', 3001],
    ['127.8.9.10', 3002],
    ['127.1', 3001],
    ['2130706433', 3001],
    ['0x7f000001', 3001],
    ['0.0.0.0', 3001],
    ['LocalHost', 3001],
    ['localhost.', 3001],
    ['any.localhost', 3001],
    ['::1', 3001],
    ['[::1]', 3001],
    ['::', 3001],
    ['::ffff:127.0.0.1', 3001],
    ['192.0.2.10', 3001],
    ['192.0.2.10', 3002],
    ['192.0.2.12', 3003],
    ['Play.Example.com', 443],
    ['play.example.com', 80],
    ['127.0.0.1', 443],
    ['127.0.0.1', 80],
  ])('rejects %s port %i', (host, port) => {
    expect(problemOf(host, port)).toBe(`${host}:${port} is this service itself`);
  });

  it.each([
    ['127.0.0.1', 8080],
    ['10.0.0.7', 3001],
    ['play.example.com', 8080],
    ['game.example.com', 443],
    ['', 3001],
  ])('accepts %s port %i', (host, port) => {
    expect(problemOf(host, port)).toBeUndefined();
  });

  it("accepts the sandbox's GM interface only with the embedded database", () => {
    const embedded = Object.assign(new Environment(), environment, { DATABASE_URL: undefined });
    expect(problemOf('127.0.0.1', 3001, SANDBOX_GM_PATH, embedded)).toBeUndefined();
    expect(problemOf('127.0.0.1', 3001, '/gm', embedded)).toBeDefined();
    expect(problemOf('127.0.0.1', 3001, SANDBOX_GM_PATH)).toBeDefined();
  });
});
