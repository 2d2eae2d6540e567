import { ApiKeys } from '@annals/users';
import type { Secret } from './secret-finder';
import { isTelling } from './secret-finder';

const TEMPORARY = /\/temporary\/([^/]+)\//;

/** All secrets of this spec file, and all outputs that must not contain them. */
class Secrets {
  private readonly known = new Map<string, Secret>();
  private told: string[] = [];

  /** @param name its name in a report */
  add(name: string, secret: string): void {
    const bytes = Buffer.from(secret);
    if (isTelling(bytes)) this.known.set(secret, { name: `${name} ${secret}`, bytes });
  }

  /** Records secrets of a request: passwords, right or wrong, and keys and links of the answer. */
  exchanged(
    params: Readonly<Record<string, unknown>>,
    answer: { readonly status: number; readonly body: object },
  ): void {
    const said = answer.status === 200 ? '' : JSON.stringify(answer.body);
    for (const [name, value] of Object.entries(params)) {
      if (!/password/.test(name) || typeof value !== 'string') continue;
      // A password that was wished for and refused is nobody's, for it may be a name; but it is not said again.
      if (answer.status !== 400 || name === 'old_password' || said.includes(value)) this.add('password', value);
    }
    const { api_key: key, url } = answer.body as { readonly api_key?: unknown; readonly url?: unknown };
    if (typeof key === 'string') this.add('key', key);
    const token = typeof url === 'string' ? TEMPORARY.exec(url)?.[1] : undefined;
    if (token !== undefined) this.add('link', token);
    this.heard(said);
  }

  [Symbol.iterator](): Iterator<Secret> {
    return this.known.values();
  }

  /** Takes note of a refusal, or of a complaint. */
  heard(text: string): void {
    if (text !== '') this.told.push(text);
  }

  /** Everything recorded since the last check. */
  takeHeard(): string {
    const all = this.told.join('\n');
    this.told = [];
    return all;
  }
}

export const secrets = new Secrets();

/** Keys are noted where the product makes them, also when nobody asked for one over HTTP. */
const { random } = ApiKeys.prototype;
ApiKeys.prototype.random = function notedKey() {
  const key = random.call(this);
  secrets.add('key', key);
  return key;
};
