import type { Witness } from '@annals/audit';
import { KeyStore, parseWitness } from '@annals/audit';
import { CannotStart } from '@annals/embedded';
import type { Settings } from './settings';

/** The key that signs checkpoints. */
export const keyStoreOf = ({
  ANNALS_DATA_DIR: folder,
  ANNALS_AUDIT_KEY: given,
}: Pick<Settings, 'ANNALS_AUDIT_KEY' | 'ANNALS_DATA_DIR'>): KeyStore => new KeyStore({ folder, given });

/** The witnesses of this server. @throws CannotStart when a key of one is not valid */
export function witnessesOf({ ANNALS_AUDIT_WITNESSES: text }: Pick<Settings, 'ANNALS_AUDIT_WITNESSES'>): Witness[] {
  return (text === undefined ? [] : text.split(',')).map((entry) => {
    const witness = parseWitness(entry);
    if (!witness)
      throw new CannotStart(`ANNALS_AUDIT_WITNESSES: "${entry.trim()}" has no key of type 4 for this name.`);
    return witness;
  });
}
