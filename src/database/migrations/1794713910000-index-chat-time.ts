import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was said at a time, in whichever zone. */
export class IndexChatTime1794713910000 implements MigrationInterface {
  name = 'IndexChatTime1794713910000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX chat_time ON chat (time)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('chat', 'chat_time');
  }
}
