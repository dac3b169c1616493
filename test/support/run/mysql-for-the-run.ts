import type { TestProject } from 'vitest/node';
import { installForRun } from './installed-data.js';
import { initializeMySql, startMySql } from '../servers/mysql.js';

/** Sets up MySQL for the project that runs on it. */
export default async function setup(project: TestProject) {
  const uninstall = await installForRun('MYSQL', initializeMySql);
  const mysql = await startMySql();
  project.provide('database', { kind: 'mysql', rootUrl: mysql.rootUrl });
  return async () => {
    await mysql.stop();
    uninstall();
  };
}
