import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Registrations of one day. A counter row, because it can be incremented in one atomic step. */
@Entity('registration_day')
export class RegistrationDay {
  @PrimaryColumn({ type: 'varchar', length: 10 })
  day: string;

  @Column({ type: 'int' })
  taken: number;
}
