import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { log } from '../../log/log.js';
import { addressGroup } from './address.js';

const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 1000;
const OTHERS = 'others';

/** Counts the requests that the rate limit refuses: a flood must not fill the disk with log lines. */
@Injectable()
export class RefusedRequests implements OnModuleDestroy {
  private readonly counts = new Map<string, number>();
  private readonly timer = setInterval(() => this.flush(), MINUTE_MS).unref();

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.flush();
  }

  /** True for the first request of an address in a minute, which gets its own line. */
  isFirst(address: string): boolean {
    const group = addressGroup(address);
    const count = this.counts.get(group);
    if (count === undefined && this.counts.size < MAX_ADDRESSES) {
      this.counts.set(group, 0);
      return true;
    }
    const key = count === undefined ? OTHERS : group;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return false;
  }

  flush(): void {
    for (const [address, requests] of this.counts)
      if (requests > 0)
        log.info({ address, status: 429, requests }, 'more requests refused by the rate limit');
    this.counts.clear();
  }
}
