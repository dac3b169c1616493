interface Claims {
  account: string;
  exp: number;
}

/** What the token says of itself. Only the service can tell whether it is true. */
export function readClaims(token: string): Claims | undefined {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (letter) =>
      letter.charCodeAt(0),
    );
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Claims>;
    if (typeof claims.account !== 'string' || typeof claims.exp !== 'number') return undefined;
    return { account: claims.account, exp: claims.exp };
  } catch {
    return undefined;
  }
}
