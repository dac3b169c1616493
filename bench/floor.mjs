// The floor: the same calls written by hand on bare Express and mysql2, with no checks, no counters and no log.
// What Gatehouse costs is measured against it.
import express from 'express';
import mysql from 'mysql2/promise';

const { DATABASE_URL, PORT } = process.env;
const database = mysql.createPool({ uri: DATABASE_URL, charset: 'utf8mb4', timezone: 'Z' });
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(express.json());

const INSERT_CHAT =
  'INSERT INTO chat (server_id, chat_id, account, role_id, role_name, channel, content, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';

app.post('/api/report/chat', async ({ body }, response) => {
  const { server_id, chat_id, account, role_id, role_name, channel, content, time } = body;
  const said = new Date(time * 1000);
  const row = [server_id, chat_id, account, role_id, role_name, channel, content, said];
  await database.execute(INSERT_CHAT, row);
  response.json({ code: 0, message: 'ok', data: { accepted: 1, duplicates: 0, rejected: [] } });
});

app.listen(Number(PORT), '127.0.0.1', () => console.log('listening'));
