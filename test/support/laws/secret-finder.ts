/** Shorter or more uniform texts occur everywhere by chance. */
const FEWEST_BYTES = 8;
const FEWEST_DIFFERENT = 6;

/** A secret and its name in a report. */
export interface Secret {
  readonly name: string;
  readonly bytes: Buffer;
  /** The table of secrets has it as it is. */
  readonly isStored?: boolean;
}

interface Needle {
  readonly secret: string;
  readonly form: string;
  readonly bytes: Buffer;
}

/** Whether finding it has a meaning. */
export const isTelling = (bytes: Buffer): boolean =>
  bytes.length >= FEWEST_BYTES && new Set(bytes).size >= FEWEST_DIFFERENT;

/**
 * Finds secrets in any text in one pass over it, however many there are: as they are, escaped as JSON or in a URL, in hex,
 * in base64 wherever they begin in it, as in the header of a login, and as the numbers of bytes that were written down
 * whole.
 */
export class SecretFinder {
  /** A bit for each three bytes that a form of a secret begins with. */
  private readonly heads = new Uint8Array(1 << 21);
  private readonly needles = new Map<number, Needle[]>();

  constructor(secrets: Iterable<Secret>) {
    for (const secret of secrets) if (isTelling(secret.bytes)) formsOf(secret).forEach((needle) => this.add(needle));
  }

  /** Names of the secrets that occur there, each with its form. */
  in(text: Buffer | string): string[] {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    const found = new Set<string>();
    let head = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      head = ((head << 8) | (bytes[at] ?? 0)) & 0xff_ffff;
      if (((this.heads[head >> 3] ?? 0) & (1 << (head & 7))) === 0 || at < 2) continue;
      for (const needle of this.needles.get(head) ?? []) {
        const begin = at - 2;
        if (bytes.subarray(begin, begin + needle.bytes.length).equals(needle.bytes)) {
          found.add(`${needle.secret} (${needle.form})`);
        }
      }
    }
    return [...found];
  }

  private add(needle: Needle): void {
    const head = needle.bytes.readUIntBE(0, 3);
    this.heads[head >> 3] = (this.heads[head >> 3] ?? 0) | (1 << (head & 7));
    this.needles.set(head, [...(this.needles.get(head) ?? []), needle]);
  }
}

function formsOf({ name, bytes }: Secret): Needle[] {
  const text = bytes.toString();
  const hex = bytes.toString('hex');
  const url = encodeURIComponent(text.toWellFormed());
  const forms: [string, string | Buffer][] = [
    ['as it is', bytes],
    ['JSON', JSON.stringify(text).slice(1, -1)],
    ['URL', url],
    ['form', url.replaceAll('%20', '+')],
    // They escape more than the others do.
    ['form', new URLSearchParams([['', text]]).toString().slice(1)],
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ['bytes', `<Buffer ${(hex.match(/../g) ?? []).join(' ')}`],
    ['bytes', JSON.stringify([...bytes]).slice(0, -1)],
    ...[0, 1, 2].flatMap((offset): [string, string][] => {
      const base64 = withinBase64(bytes, offset);
      return [
        ['base64', base64],
        ['base64', base64.replaceAll('+', '-').replaceAll('/', '_')],
      ];
    }),
  ];
  return forms.map(([form, needle]) => ({ secret: name, form, bytes: Buffer.from(needle as string) }));
}

/** The characters that these bytes alone determine when so many others, modulo three, precede them. */
function withinBase64(bytes: Buffer, offset: number): string {
  const all = Buffer.concat([Buffer.alloc(offset), bytes]);
  const begin = Math.ceil((offset * 8) / 6);
  return all.toString('base64').slice(begin, Math.floor((all.length * 8) / 6));
}
