/** Tells a person at the terminal what to try first. */
export function greeting(url: string, dataFolder: string): string {
  return [
    '',
    `  Gatehouse is open:          ${url}`,
    `  The codes it mails:         ${url}/sandbox/mail`,
    `  Make the game server fail:  ${url}/sandbox/gm`,
    `  The API, to try out:        ${url}/api/docs`,
    `  Accounts and roles are kept in ${dataFolder}; Ctrl-C stops it.`,
    '',
  ].join('\n');
}
