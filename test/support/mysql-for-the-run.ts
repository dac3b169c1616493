import type { TestProject } from 'vitest/node';
import { startMySql } from './mysql.js';

/** Global setup of the project that runs on MySQL's own server. */
export default async function setup(project: TestProject) {
  const mysql = await startMySql();
  project.provide('database', { kind: 'mysql', rootUrl: mysql.rootUrl });
  return () => mysql.stop();
}
