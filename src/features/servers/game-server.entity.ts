import { Column, Entity, PrimaryColumn } from 'typeorm';

export const SERVER_STATUSES = ['new', 'normal', 'busy', 'full', 'maintenance', 'closed'] as const;
export type ServerStatus = (typeof SERVER_STATUSES)[number];

/** A game server. Rows are written by operations; the migration explains each column to them. */
@Entity('server')
export class GameServer {
  @PrimaryColumn({ type: 'int', unsigned: true })
  id: number;

  @Column({ type: 'varchar', length: 64 })
  name: string;

  @Column({ type: 'varchar', length: 255 })
  address: string;

  @Column({ type: 'int' })
  port: number;

  @Column({ type: 'simple-enum', enum: SERVER_STATUSES, default: 'normal' })
  status: ServerStatus;

  @Column({ type: 'int', default: 0 })
  sort: number;

  @Column({ type: 'datetime', name: 'open_at', nullable: true })
  openAt: Date | null;

  @Column({ type: 'int', name: 'merged_into', nullable: true })
  mergedInto: number | null;

  @Column({ type: 'varchar', length: 255, name: 'gm_address', nullable: true })
  gmAddress: string | null;

  @Column({ type: 'int', name: 'gm_port', default: 8080 })
  gmPort: number;

  @Column({ type: 'varchar', length: 255, name: 'gm_path', default: '/gm' })
  gmPath: string;

  @Column({ type: 'varchar', length: 255, name: 'db_host', nullable: true })
  dbHost: string | null;

  @Column({ type: 'int', name: 'db_port', nullable: true })
  dbPort: number | null;

  @Column({ type: 'varchar', length: 32, name: 'zone_group', nullable: true })
  group: string | null;

  @Column({ type: 'boolean', default: false })
  recommended: boolean;
}
