import type { EntityManager } from 'typeorm';

/** Uses a factor up in the transaction of what it proves. False if another request was first. */
export type UseFactor = (manager: EntityManager) => Promise<boolean>;
