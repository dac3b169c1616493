import { AsyncLocalStorage } from 'node:async_hooks';
import type { BeforeQueryEvent } from 'typeorm/subscriber/event/QueryEvent.js';
import type { TestApp } from './app.js';

/** Returns the statements that requests run through TypeORM during `ask`, without background statements. */
export async function statementsOfRequests(
  { app, database }: TestApp,
  ask: () => Promise<unknown>,
): Promise<string[]> {
  const request = new AsyncLocalStorage<true>();
  const begin = () => request.enterWith(true);
  const statements: string[] = [];
  const listener = {
    beforeQuery({ query }: BeforeQueryEvent) {
      if (request.getStore()) statements.push(query);
    },
  };
  app.getHttpServer().prependListener('request', begin);
  database.subscribers.push(listener);
  try {
    await ask();
  } finally {
    database.subscribers.splice(database.subscribers.indexOf(listener), 1);
    app.getHttpServer().off('request', begin);
  }
  return statements;
}
