import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { StoredCredentials } from './credentials-lookup.js';
import { Passwords } from './passwords.js';

@Injectable()
export class ImportedPlayers {
  constructor(
    @InjectRepository(Player) private readonly players: Repository<Player>,
    private readonly passwords: Passwords,
    private readonly rowQueue: RowQueue,
  ) {}

  /** Stores the usual hash at the first sign-in, unless the password was changed meanwhile. */
  async endImport({ id, password: stored }: StoredCredentials, password: string): Promise<void> {
    const change = { password: this.passwords.hash(password), imported: false };
    await this.rowQueue.run(`player ${id}`, () =>
      this.players.update({ id, password: stored }, change),
    );
  }
}
