import type { TestProject } from 'vitest/node';
import { installForRun } from './installed-data.js';
import { initializeMySql, startMySql } from '../servers/mysql.js';

/** Global setup of the project that runs on MySQL's own server. */
export default async function setup(project: TestProject) {
  const uninstall = await installForRun('MYSQL', initializeMySql);
  const mysql = await startMySql();
  project.provide('database', { kind: 'mysql', rootUrl: mysql.rootUrl });
  return async () => {
    await mysql.stop();
    uninstall();
  };
}
