import type { KeyObject } from 'node:crypto';
import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the private key is that signs checkpoints. */
export interface KeyLocation {
  /** Folder for a key that this server makes. */
  readonly folder: string;
  /** A private key as PEM text, if the operator gave one. Then no file is read or made. */
  readonly given?: string | undefined;
}

const FILE = 'audit-key.pem';
const NEXT_FILE = 'audit-key.next.pem';

/** The private Ed25519 key in a PEM text. @throws Error for any other text, without the text */
export function privateKeyOf(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new Error('it is no private key in PEM form');
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key');
  return key;
}

/** The private key of this installation: given by a setting, or in a file of the data folder (mode 0600). */
export class KeyStore {
  constructor(private readonly location: KeyLocation) {}

  /** Whether the operator gave the key, so that the operator has to replace it. */
  get isGiven(): boolean {
    return this.location.given !== undefined;
  }

  /** The key. Null if this server makes one. @throws Error when it cannot be read */
  read(): KeyObject | null {
    return this.location.given === undefined ? readKey(this.file(FILE)) : privateKeyOf(this.location.given);
  }

  /** The key, made now if there is none. Of several processes one makes it, and all get the same. */
  create(): KeyObject {
    return this.read() ?? createKey(this.file(FILE));
  }

  /** The key that will replace this one, made now if there is none. @param file of an operator who gives the key */
  next(file = this.file(NEXT_FILE)): KeyObject {
    return readKey(file) ?? createKey(file);
  }

  /** The next key becomes the key. */
  activateNext(): void {
    renameSync(this.file(NEXT_FILE), this.file(FILE));
  }

  private file(name: string): string {
    return join(this.location.folder, name);
  }
}

function readKey(file: string): KeyObject | null {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return privateKeyOf(pem);
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`);
  }
}

/** The file appears at once and whole, and a file that exists is never replaced. */
function createKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readKey(file) ?? privateKey;
}
