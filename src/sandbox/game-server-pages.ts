import { Router, urlencoded } from 'express';
import { type Fault, SandboxGameServer } from './game-server.js';
import { escapeHtml, page } from './page.js';
import type { GameDatabaseFiles } from './game-database-files.js';

const FAULT_CHOICES: Partial<Record<Fault, string>> = {
  none: 'Works as it should',
  refuse: 'Refuses every deduction: the withdrawal is refused, nothing is taken',
  hang_before: 'Hangs without deducting: the outcome is unknown, a person settles it',
  hang_after:
    'Deducts, then hangs: unknown as well, and the balance shows why nothing is given back by itself',
  error_before: 'Answers with an error (HTTP 500) without deducting: unknown',
  error_after: 'Deducts, then answers with an error: unknown',
};

/** The sandbox's GM interface, and a page to make it misbehave. */
export function gameServerPages(files: GameDatabaseFiles, secret: string): Router {
  let current: Fault = 'none';
  const server = new SandboxGameServer(
    { deduct: (...order) => Promise.resolve(files.deduct(...order)) },
    secret,
  );
  server.fault = () => current;

  const router = Router();
  router.post('/command', server.handle);

  router.get('/', (_request, response) => {
    const buttons = Object.entries(FAULT_CHOICES).map(
      ([fault, meaning]) =>
        `<button name="fault" value="${fault}"${fault === current ? ' class="primary" aria-pressed="true"' : ''}>${meaning}</button>`,
    );
    const orders = Array.from(
      server.ledger,
      ([number, { roleId, amount, applications }]) =>
        `<tr><td>${escapeHtml(number)}</td><td>${roleId}</td><td>${amount}</td><td>${applications}</td></tr>`,
    );
    const ledger = orders.length
      ? `<table><thead><tr><th>order</th><th>role</th><th>amount</th><th>times deducted</th></tr></thead>
         <tbody>${orders.toReversed().join('')}</tbody></table>`
      : '<p>No orders since the start.</p>';
    const content = `
      <p>How does the game server answer withdrawals?</p>
      <form method="post"><div class="choices">${buttons.join('')}</div></form>
      <h2>Orders that came in</h2>${ledger}`;
    response.type('html').send(page('Game server', content));
  });

  router.post('/', urlencoded({ extended: false }), (request, response) => {
    const { fault } = request.body as { fault?: string };
    if (fault !== undefined && fault in FAULT_CHOICES) current = fault as Fault;
    response.redirect(303, '/sandbox/gm');
  });

  return router;
}
