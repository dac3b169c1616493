import { Column, Entity } from 'typeorm';
import { EnumColumn, FlagColumn, IntColumn, TextColumn } from '../../platform/database/columns.js';
import { currentTime } from '../../platform/database/database-clock.js';

/** Lists the statuses that players can see. */
export const SERVED_STATUSES = ['new', 'normal', 'busy', 'full', 'maintenance', 'closed'] as const;
export const SERVER_STATUSES = [...SERVED_STATUSES, 'scheduled'] as const;
export type ServerStatus = (typeof SERVER_STATUSES)[number];

/** Operators write these rows, and the migration explains each column to them. */
@Entity('server')
export class GameServer {
  @IntColumn({ primary: true, unsigned: true }) id: number;
  @TextColumn(64) name: string;
  @TextColumn(255) address: string;
  @IntColumn() port: number;
  @EnumColumn(SERVER_STATUSES, { default: 'normal' }) status: ServerStatus;
  @IntColumn({ default: 0 }) sort: number;
  @Column({ type: 'datetime', name: 'open_at', nullable: true }) openAt: Date | null;
  @IntColumn({ nullable: true }) mergedInto: number | null;
  @TextColumn(255, { nullable: true }) gmAddress: string | null;
  @IntColumn({ default: 8080 }) gmPort: number;
  @TextColumn(255, { default: '/gm' }) gmPath: string;
  @TextColumn(255, { nullable: true }) dbHost: string | null;
  @IntColumn({ nullable: true }) dbPort: number | null;
  @TextColumn(32, { name: 'zone_group', nullable: true }) group: string | null;
  @FlagColumn() recommended: boolean;
}

/** Holds a server whose status already reflects its opening time. */
export type ServedServer = GameServer & { status: (typeof SERVED_STATUSES)[number] };

/**
 * Returns the server as players see it now. A scheduled server is closed until its time and new from then on. All
 * instances compare with the database's clock, so they open it at the same time.
 */
export function toServedServer(server: GameServer): ServedServer {
  const { status, openAt } = server;
  const isOpen = openAt !== null && Number(openAt) <= currentTime();
  const served = status !== 'scheduled' ? status : isOpen ? 'new' : 'closed';
  return Object.assign(new GameServer(), server, { status: served });
}
