import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many registered on a day. A row, not a count of players: it can be taken from in one atomic step. */
@Entity('registration_day')
export class RegistrationDay {
  @PrimaryColumn({ type: 'varchar', length: 10 })
  day: string;

  @Column({ type: 'int' })
  taken: number;
}
