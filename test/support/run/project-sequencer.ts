import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow projects start first so that no long file runs alone at the end. */
const SLOWEST_FIRST = [
  'node-versions',
  'cluster',
  'mysql-cluster',
  'images',
  'fleet',
  'browser-details',
  'browser',
  'processes',
  'import',
  'mariadb',
  'mysql',
  'embedded',
  'unit',
];

/** Keeps a project's files together because a Vitest worker keeps its modules only within a project. */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) ||
        one.project.name.localeCompare(other.project.name) ||
        statSync(other.moduleId).size - statSync(one.moduleId).size,
    );
  }
}

function rankOf({ project }: TestSpecification): number {
  return SLOWEST_FIRST.indexOf(project.name);
}
