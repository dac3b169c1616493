export type Strength = 'weak' | 'fair' | 'strong';

const GUESSED_FIRST = /passw[o0]rd|12345|qwert|asdf|abc123|woaini|5201314|admin|dragon|legend/i;
const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/];

/** Rates a password as a hint for the player. The service has rules of its own. */
export function strengthOf(password: string, account = ''): Strength {
  const name = account.trim().toLowerCase();
  const containsName = name.length > 3 && password.toLowerCase().includes(name);
  if (containsName || GUESSED_FIRST.test(password)) return 'weak';
  const letters = Array.from(password);
  const kinds = KINDS.filter((kind) => kind.test(password)).length;
  // Repeated characters add little to the score.
  const score = Math.min(letters.length, new Set(letters).size * 2) + kinds * 2;
  if (score < 13) return 'weak';
  return score < 18 ? 'fair' : 'strong';
}
