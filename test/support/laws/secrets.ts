import { KeyStore } from '@annals/audit';
import { MailTokens } from '@annals/email-notifications';
import { JoinTokens } from '@annals/invitations';
import { ApiKeys, MailedTokens, Sessions } from '@annals/users';
import type { Secret } from './secret-finder';
import { isTelling } from './secret-finder';

const TEMPORARY = /\/temporary\/([^/]+)\//;

/** All secrets of this spec file, and all outputs that must not contain them. */
class Secrets {
  private readonly known = new Map<string, Secret>();
  private outputs: string[] = [];

  /** @param name its name in a report @param isStored the server must know it, so its table of secrets has it */
  add(name: string, secret: string, isStored = false): void {
    const bytes = Buffer.from(secret);
    if (isTelling(bytes)) this.known.set(secret, { name: `${name} ${secret}`, bytes, isStored });
  }

  /** Records secrets of a request: passwords, right or wrong, and keys and links of the answer. */
  exchanged(
    params: Readonly<Record<string, unknown>>,
    answer: { readonly status: number; readonly body: object },
  ): void {
    const text = answer.status === 200 ? '' : JSON.stringify(answer.body);
    for (const [name, value] of Object.entries(params)) {
      if (name === 'secret' && typeof value === 'string') this.add('webhook secret', value, true);
      if (!/password/.test(name) || typeof value !== 'string') continue;
      // A refused new password belongs to nobody and may be a name. The answer must not repeat it all the same.
      if (answer.status !== 400 || name === 'old_password' || text.includes(value)) this.add('password', value);
    }
    const { api_key: key, url, secret } = answer.body as Readonly<Record<string, unknown>>;
    if (typeof key === 'string') this.add('key', key);
    if (typeof secret === 'string') this.add('webhook secret', secret, true);
    const token = typeof url === 'string' ? TEMPORARY.exec(url)?.[1] : undefined;
    if (token !== undefined) this.add('link', token);
    this.recordOutput(text);
  }

  [Symbol.iterator](): Iterator<Secret> {
    return this.known.values();
  }

  /** Takes note of a refusal, or of a complaint. */
  recordOutput(text: string): void {
    if (text !== '') this.outputs.push(text);
  }

  /** Everything recorded since the last check. */
  takeOutputs(): string {
    const all = this.outputs.join('\n');
    this.outputs = [];
    return all;
  }
}

export const secrets = new Secrets();

/** Keys are recorded where the product creates them, also without a request over HTTP. */
const { random } = ApiKeys.prototype;
ApiKeys.prototype.random = function notedKey() {
  const key = random.call(this);
  secrets.add('key', key);
  return key;
};

/** So are the cookies of sessions. */
const { begin } = Sessions.prototype;
Sessions.prototype.begin = async function notedCookie(...login) {
  const cookie = await begin.apply(this, login);
  secrets.add('session', cookie);
  return cookie;
};

/** Links that let somebody join are stored as they are, because they are shown and mailed again. */
const joinToken = JoinTokens.prototype.random;
JoinTokens.prototype.random = function notedToken() {
  const token = joinToken.call(this);
  secrets.add('token to join', token, true);
  return token;
};

/** So are the tokens of links in mails. */
const { put } = MailedTokens.prototype;
MailedTokens.prototype.put = function notedToken(...link) {
  const change = put.apply(this, link);
  if ('put' in change) secrets.add('link', change.value.toString(), true);
  return change;
};

const { create } = KeyStore.prototype;
KeyStore.prototype.create = function notedSigningKey() {
  const key = create.call(this);
  const [, body = ''] = key.export({ format: 'pem', type: 'pkcs8' }).toString().split('\n');
  secrets.add('signing key', body);
  return key;
};

/** Whoever has a token of a mail acts as its reader. */
const { sign } = MailTokens.prototype;
MailTokens.prototype.sign = async function notedToken(...of) {
  const token = await sign.apply(this, of);
  secrets.add('token of a mail', token);
  return token;
};
