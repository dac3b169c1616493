import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';

/**
 * Failed logins with names that no player has are counted in 16 384 buckets, so that inventing names fills no
 * memory. Players are counted by id: no bucket locks one out.
 *
 * The hash is keyed: someone who knows which names share a bucket could fill it, and tell by the lock whether a name
 * of that bucket has a player. To fill them all unseen takes half a million failed logins an hour.
 */
@Injectable()
export class UnknownNameBuckets {
  private readonly key: Buffer;

  constructor({ JWT_SECRET }: Environment) {
    // The same on all instances, which count together.
    this.key = createHmac('sha256', JWT_SECRET).update('unknown names').digest();
  }

  bucketOf(account: string): string {
    const hash = createHmac('sha256', this.key).update(account.toLowerCase()).digest();
    return `?${hash.readUInt16BE(0) >> 2}`;
  }
}
