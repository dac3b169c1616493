import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A promoter. Rows are written by operations. */
@Entity('agent')
export class Promoter {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'varchar', length: 64 })
  name: string;

  @Column({ type: 'boolean', default: true })
  active: boolean;
}
