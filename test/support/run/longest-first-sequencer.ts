import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const KINDS = ['.spec.', '.e2e-spec.', '.cluster-spec.', '.process-spec.', '.browser-spec.'];

/**
 * The last group by what they took, since a worker that has nothing left there leaves a core idle; but for torture, which is
 * meant to begin when faults, which measures, is over. What is new goes first.
 */
const LAST_GROUP = [
  'faults',
  'workers',
  'database-hosts',
  'torture',
  'galera',
  'redis-sentinel',
  'haproxy',
  'mysql-group',
  'migrations',
  'redis',
  'nginx-faults',
  'nginx',
  'snapshot-isolation',
  'graceful-stop',
  'redis-tls',
];

/** Whole processes and browsers first: what takes minutes must not be begun at the end, when the other workers are done. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (one, other) =>
        placeInLastGroup(one) - placeInLastGroup(other) ||
        kindOf(other) - kindOf(one) ||
        // Vitest keeps a worker, and what it loaded, only while the next file is of the same project.
        other.project.name.localeCompare(one.project.name) ||
        sizeOf(other) - sizeOf(one),
    );
  }
}

/** Vitest sorts all files at once, and groups them afterwards. */
function placeInLastGroup({ moduleId, project }: TestSpecification): number {
  if (project.config.sequence.groupOrder === 0) return -2;
  return LAST_GROUP.indexOf(basename(moduleId).split('.')[0]!);
}

function kindOf({ moduleId }: TestSpecification): number {
  return KINDS.findIndex((kind) => moduleId.includes(kind));
}

function sizeOf({ moduleId }: TestSpecification): number {
  return statSync(moduleId).size;
}
