import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DataSource, LessThanOrEqual } from 'typeorm';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import { Settings } from '../../../platform/config/settings.js';
import { HOUR_MS } from '../../../platform/config/time.js';
import { currentDate } from '../../../platform/database/database-clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { DeniedAddress } from '../../../platform/http/limits/denied-addresses.js';
import {
  addressGroup,
  AddressList,
  normalizeAddress,
} from '../../../platform/http/request/address.js';
import { ActionRefused } from '../action-refused.js';

const LOOPBACK = AddressList.of(['127.0.0.0/8', '::1', '0.0.0.0']);

/** Blocks addresses on every instance for some time, like `deny_ip` in the settings. */
@Injectable()
export class AddressBlocks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly audit: AuditLog,
  ) {}

  async findInForce(): Promise<DeniedAddress[]> {
    const rows = await this.dataSource.manager.find(DeniedAddress, { order: { until: 'ASC' } });
    return rows.filter(({ until }) => until > currentDate());
  }

  stateOf(address: string | null, blocks: DeniedAddress[]) {
    const covers = (list: string[]) => address !== null && AddressList.of(list).has(address);
    return {
      blocked_until: blocks.find((block) => covers([block.address]))?.until ?? null,
      is_denied: covers(this.settings.current.deny_ip),
    };
  }

  /** Blocks the address, or the /64 network of an IPv6 address. A second block replaces the first one. */
  async block(who: Attribution, given: string, hours: number): Promise<DeniedAddress> {
    const address = this.blockable(given);
    const createdAt = currentDate();
    const until = new Date(createdAt.getTime() + hours * HOUR_MS);
    const row = { address, note: who.note, createdBy: who.by, createdAt, until };
    await inTransaction(this.dataSource, async (manager) => {
      await manager.delete(DeniedAddress, { until: LessThanOrEqual(createdAt) });
      const before = await manager.findOneBy(DeniedAddress, { address });
      await manager.upsert(DeniedAddress, row, ['address']);
      await this.audit.write(manager, who, {
        act: 'address.block',
        subject: `address ${address}`,
        before: before && { until: before.until },
        after: { until },
      });
    });
    return row;
  }

  /** Ends the block of an address, of its IPv6 network, or of a network in the notation that `block` returns. */
  async unblock(who: Attribution, given: string): Promise<void> {
    const normalized = normalizeAddress(given.trim());
    const address = isIP(normalized) === 0 ? normalized.toLowerCase() : addressGroup(normalized);
    await inTransaction(this.dataSource, async (manager) => {
      const before = await manager.findOneBy(DeniedAddress, { address });
      const isRemoved = before && (await manager.delete(DeniedAddress, { address })).affected === 1;
      if (!isRemoved) throw new ActionRefused(`${address} is not blocked by an operator`);
      await this.audit.write(manager, who, {
        act: 'address.unblock',
        subject: `address ${address}`,
        before: { until: before.until },
        after: { until: null },
      });
    });
  }

  /**
   * Returns the address or network that `block` would block. Rejects addresses of this service, its game servers and
   * its monitoring, because blocking them would stop the service for many players.
   */
  blockable(given: string): string {
    const address = normalizeAddress(given.trim());
    if (isIP(address) === 0) throw new ActionRefused(`${given} is not an address`);
    const { game_server_ips: games, metrics_ips: monitors } = this.settings.current;
    const group = addressGroup(address);
    const blocked = AddressList.of([group]);
    const isOurs =
      LOOPBACK.has(address) ||
      [games, monitors].some((list) => AddressList.of(list).has(address)) ||
      ['::1', ...games, ...monitors].some((entry) => blocked.has(entry.split('/')[0]!));
    if (isOurs) throw new ActionRefused(`${group} belongs to this service or its game servers`);
    return group;
  }
}
