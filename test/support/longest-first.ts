import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const KINDS = ['.spec.', '.e2e-spec.', '.cluster-spec.', '.fleet-spec.'];

/** Whole processes and browsers first: what takes minutes must not be begun at the end, when the other workers are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (one, other) => kindOf(other) - kindOf(one) || sizeOf(other) - sizeOf(one),
    );
  }
}

function kindOf({ moduleId }: TestSpecification): number {
  return KINDS.findIndex((kind) => moduleId.includes(kind));
}

function sizeOf({ moduleId }: TestSpecification): number {
  return statSync(moduleId).size;
}
