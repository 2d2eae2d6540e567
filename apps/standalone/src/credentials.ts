import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How long the server may take to answer whether a key is valid. */
const ANSWER_PATIENCE_MS = 5_000;

/** The credentials for a Zulip client, in the form of its configuration file. */
export interface ClientCredentials {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

export const zuliprcPath = (dataDir: string) => join(dataDir, 'zuliprc');
const unfinishedPath = (dataDir: string) => join(dataDir, 'zuliprc.unfinished');

/** The key in the data folder's zuliprc for this user, `undefined` if it has none. */
export function readKey(dataDir: string, email: string): string | undefined {
  const text = textOf(zuliprcPath(dataDir)) ?? '';
  const value = (name: string) => new RegExp(`^${name} *= *(.*?) *$`, 'm').exec(text)?.[1];
  return value('email') === email ? value('key') : undefined;
}

/**
 * The key that the owner gets if there is no organization yet. It is written down, for the owner of the data folder
 * alone, before anything is asked to make it valid: a start that is ended at any moment is taken up with the same key.
 */
export function prepareKey(dataDir: string): string {
  const file = unfinishedPath(dataDir);
  const earlier = textOf(file)?.trim() ?? '';
  if (/^[0-9a-f]{32}$/.test(earlier)) return earlier;
  const key = randomBytes(16).toString('hex');
  rmSync(file, { force: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600, flush: true });
  return key;
}

/** The prepared key was given to its owner, or belongs to nobody. */
export const forgetPreparedKey = (dataDir: string) => rmSync(unfinishedPath(dataDir), { force: true });

/** Writes the zuliprc whole or not at all, readable by its owner only. */
export function writeZuliprc(dataDir: string, { email, key, site }: ClientCredentials): void {
  const partial = `${zuliprcPath(dataDir)}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`, { mode: 0o600, flush: true });
  renameSync(partial, zuliprcPath(dataDir));
}

/** Why the server refuses a key: it was revoked, or is of another organization. Or nobody may use the organization now. */
export type KeyRefusal = 'key' | 'organization';

/**
 * Why the server at this address, as `http://host:port`, refuses the key (contract/conventions.md section 3). A server that
 * does not answer in time refuses nothing.
 */
export async function refusalOf(address: string, email: string, key: string): Promise<KeyRefusal | null> {
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
  const signal = AbortSignal.timeout(ANSWER_PATIENCE_MS);
  try {
    const answer = await fetch(`${address}/api/v1/users/me`, { headers, signal });
    if (answer.status !== 401) {
      await answer.body?.cancel();
      return null;
    }
    const body = (await answer.json().catch(() => null)) as { readonly code?: unknown } | null;
    return body?.code === 'REALM_DEACTIVATED' ? 'organization' : 'key';
  } catch {
    return null;
  }
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
