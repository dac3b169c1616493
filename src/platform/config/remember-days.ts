import type { Environment } from './environment.js';
import type { SettingsValues } from './settings.schema.js';

/** For how many days a browser may stay signed in. 0: not at all, also if it would not send us the cookie. */
export function rememberDays({ session }: SettingsValues, environment: Environment): number {
  return environment.frontEndIsSameSite ? session.remember_days : 0;
}
