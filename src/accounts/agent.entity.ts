import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A promoter. Rows are written by operations. */
@Entity('agent')
export class Agent {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'varchar', length: 64 })
  name: string;

  @Column({ type: 'boolean', default: true })
  active: boolean;
}
