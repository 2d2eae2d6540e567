import type { KeyObject } from 'node:crypto';
import type { KeyStore } from '@annals/audit';
import { replaceSigningKey } from '@annals/audit';
import { CannotStart } from '@annals/embedded';
import type { Kernel } from '@annals/kernel';
import { realmsKnown } from '@annals/kernel';
import { ServerAddress, readRealm } from '@annals/realm';

export interface RotateOptions {
  /** A file for the new key, if the key is given by a setting. */
  readonly to?: string;
  /** The old key is lost and cannot sign the new one. */
  readonly lost?: boolean;
}

/** The key here, and the base URL of the server, which names the logs. */
export interface RotationContext {
  readonly keys: KeyStore;
  readonly url: string;
}

/**
 * `annals key-rotate`: makes a new key that signs checkpoints, which the old one signs, and writes it into every log. May
 * be repeated after it was interrupted.
 *
 * @returns 0, or 1 when the log of a realm has another key
 * @throws CannotStart when the options do not fit the settings, or there is no key yet
 */
export async function rotateKey(
  kernel: Kernel,
  { keys, url }: RotationContext,
  { to, lost = false }: RotateOptions,
  print: (line: string) => void,
): Promise<number> {
  if (keys.isGiven === (to === undefined))
    throw new CannotStart(
      keys.isGiven
        ? 'ANNALS_AUDIT_KEY is set, so --to must name a file for the new key.'
        : '--to is for servers whose key is set by ANNALS_AUDIT_KEY.',
    );
  const old = lost ? null : keys.read();
  if (!old && !lost) throw new CannotStart('There is no signing key here. See --lost if it no longer exists.');
  const others = await replaceEverywhere(kernel, { old, next: keys.next(to) }, new ServerAddress(url));
  for (const realmId of others) print(`realm ${realmId}: its log has another key than the one here`);
  if (others.length > 0) return 1;
  if (to === undefined) keys.activateNext();
  print(
    to === undefined
      ? 'Checkpoints are signed with a new key from now on.'
      : `Checkpoints are signed with the key in ${to} from now on: set ANNALS_AUDIT_KEY_FILE to it, and restart the workers.`,
  );
  return 0;
}

async function replaceEverywhere(
  kernel: Kernel,
  change: { readonly old: KeyObject | null; readonly next: KeyObject },
  address: ServerAddress,
): Promise<number[]> {
  const { pool } = kernel.database;
  const others: number[] = [];
  for (const realmId of await realmsKnown(pool)) {
    const url = address.urlOf((await readRealm(pool, realmId))?.subdomain ?? '');
    if (!(await replaceSigningKey(kernel, realmId, { ...change, url }))) others.push(realmId);
  }
  return others;
}
