/** Returns the account that a token contains. Only the service can check whether the token is valid. */
export function readAccount(token: string): string | undefined {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (letter) =>
      letter.charCodeAt(0),
    );
    const { account } = JSON.parse(new TextDecoder().decode(bytes)) as { account?: unknown };
    return typeof account === 'string' ? account : undefined;
  } catch {
    return undefined;
  }
}
