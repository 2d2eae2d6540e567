import type { KeyObject } from 'node:crypto';
import type { Kernel } from '@annals/kernel';
import { parseVerifier, signNote, systemActor, verifierText } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { SigningKey } from '../domain/signing-key';
import { changeSigningKey, endorsementText, signingKeyAggregate } from '../domain/signing-key';
import { logOriginOf } from '../domain/origin';

type Deps = Pick<Kernel, 'installation' | 'work'>;

/** Whether a private key is that of a verifier string. */
export function isKeyOf(verifier: string, key: KeyObject): boolean {
  const parsed = parseVerifier(verifier);
  return parsed !== null && verifierText(parsed.name, key) === verifier;
}

/**
 * Sets the signing key of a log, if the log has none, or if the log was restored and its key needs a new name.
 *
 * @param url base URL of the organization
 * @returns false if the log has another key
 */
export async function announceSigningKey(
  { work, installation }: Deps,
  realmId: RealmId,
  key: KeyObject,
  url: string,
): Promise<boolean> {
  let isOurs = true;
  await work.run(systemActor(realmId), async (running) => {
    await running.decide(signingKeyAggregate, 'signing-key', (current) => {
      isOurs = current === null || isKeyOf(current.verifier, key);
      if (!isOurs || current?.installation === installation) return [];
      const name = logOriginOf({ url, realmId, installation, isRestored: current !== null });
      const verifier = verifierText(name, key);
      return changeSigningKey(current, { verifier, installation, endorsement: endorsed(current, verifier, key) });
    });
  });
  return isOurs;
}

/**
 * Replaces the key of a log. A log that has no key yet gets none.
 *
 * @param old signs the new one. Null if it is lost
 * @param url base URL of the organization
 * @returns false if the log has another key than the old or the new one
 */
export async function replaceSigningKey(
  { work, installation }: Deps,
  realmId: RealmId,
  { old, next, url }: { readonly old: KeyObject | null; readonly next: KeyObject; readonly url: string },
): Promise<boolean> {
  let isDone = true;
  await work.run(systemActor(realmId), async (running) => {
    await running.decide(signingKeyAggregate, 'signing-key', (current) => {
      if (current === null || isKeyOf(current.verifier, next)) return [];
      isDone = old === null || isKeyOf(current.verifier, old);
      if (!isDone) return [];
      const isSame = current.installation === installation;
      const naming = { url, realmId, installation, isRestored: true };
      const name = isSame ? nameOf(current.verifier) : logOriginOf(naming);
      const verifier = verifierText(name, next);
      return changeSigningKey(current, { verifier, installation, endorsement: endorsed(current, verifier, old) });
    });
  });
  return isDone;
}

const nameOf = (verifier: string): string => verifier.slice(0, verifier.indexOf('+'));

const endorsed = (current: SigningKey, verifier: string, key: KeyObject | null): string | null =>
  current && key ? signNote(endorsementText(verifier), nameOf(current.verifier), key) : null;
