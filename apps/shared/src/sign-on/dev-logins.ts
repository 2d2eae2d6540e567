import { CannotStart } from '@annals/embedded';
import { isThisMachine } from '@annals/sign-in';
import type { Settings } from '../settings';

export type DevLoginSettings = Pick<Settings, 'ANNALS_DEV_LOGINS' | 'ANNALS_TRUSTED_PROXIES' | 'ANNALS_URL' | 'HOST'>;

/**
 * Whether anybody may log in as anybody.
 *
 * @throws CannotStart when that is set and other machines can reach this server
 */
export function allowsDevLogins({
  ANNALS_DEV_LOGINS,
  ANNALS_TRUSTED_PROXIES,
  ANNALS_URL,
  HOST,
}: DevLoginSettings): boolean {
  if (ANNALS_DEV_LOGINS === 'off') return false;
  const isLocal = ANNALS_URL === undefined || isThisMachine(new URL(ANNALS_URL).hostname);
  if (!isThisMachine(HOST) || !isLocal || ANNALS_TRUSTED_PROXIES > 0) {
    throw new CannotStart(
      'ANNALS_DEV_LOGINS lets everybody log in as anybody: HOST and ANNALS_URL must be of this machine, without proxies.',
    );
  }
  return true;
}
