import type { RealmId } from '@annals/kernel/domain';
import { createOrganization, findOrganization } from '@annals/onboarding';
import { secrets } from '../laws/secrets';
import { Browser } from '../server/browser';
import type { Caller, Credentials, Params } from '../server/caller';
import { formOf } from '../server/caller';
import { SERVER_URL } from '../server/organizations';
import type { TestServer } from '../server/server';

/** The password of every person of a twin. */
export const PASSWORD = 'the password of a twin';

/** Who asks: people, bots, a directory, a browser of the owner, or nobody. */
export type Role = 'owner' | 'ann' | 'helper' | 'hook' | 'directory' | 'browser' | 'nobody';

/** A request, whoever sends it. */
export interface Request {
  readonly form?: Params;
  /** A file of the form. */
  readonly file?: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> };
  /** The body, for endpoints that take JSON. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The host name of the request. Left out: that of the twin. */
  readonly host?: string;
  /** Address of another server that answers. */
  readonly url?: string;
}

/** All of an answer. */
export interface Told {
  readonly status: number;
  /** Headers and body. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How long a request may take, in ms. */
const PATIENCE_MS = 60_000;

/** One of two organizations with the same history: all ids are equal, and only the words differ. */
export class Twin {
  /** Keys and tokens by who has them. */
  readonly credentials = new Map<Role, Credentials>();
  /** The browser of the owner. */
  readonly browser: Browser;
  /** Ids of everything. Those of the other twin are the same. */
  readonly ids: Record<string, number> = {};
  /** Names, addresses and tokens of this twin only. */
  readonly names: Record<string, string> = {};

  private constructor(
    readonly server: TestServer,
    /** A word that every text of this twin has, and nothing else. */
    readonly word: string,
    readonly id: RealmId,
  ) {
    this.browser = new Browser(server.url, this.host);
  }

  /** Creates an organization without a history. */
  static async at(server: TestServer, word: string): Promise<Twin> {
    const owner = { email: `owner@${word}.example.com`, key: `keyOf${word}`.padEnd(32, 'x') };
    secrets.add('password', PASSWORD);
    secrets.add('key', owner.key);
    await createOrganization(server.kernel, {
      organization: `The ${word}`,
      ownerEmail: owner.email,
      ownerPassword: PASSWORD,
      ownerApiKey: owner.key,
      url: SERVER_URL,
      subdomain: word,
    });
    const found = await findOrganization(server.kernel, word);
    if (!found) throw new Error(`there is no organization ${word}`);
    const twin = new Twin(server, word, found.id);
    twin.credentials.set('owner', owner);
    return twin;
  }

  get host(): string {
    return `${this.word}.chat.example.com`;
  }

  /** @param path from the root of the server */
  async ask(by: Role, method: string, path: string, request: Request = {}): Promise<Told> {
    const { form = {}, headers = {}, host = this.host, url = this.server.url } = request;
    const isRead = method === 'GET';
    const body = isRead ? undefined : bodyOf(request);
    const query = isRead ? formOf(form).toString() : '';
    const answer = await fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      redirect: 'manual',
      headers: { ...this.authorization(by), 'x-forwarded-host': host, ...typeOf(request), ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const content = await answer.text();
    return { status: answer.status, text: JSON.stringify([...answer.headers]) + content, body: fieldsOf(content) };
  }

  /** A request that is granted. @param path below `/api/v1` @throws Error when it is refused */
  async did(by: Role, method: string, path: string, request: Request | Params = {}): Promise<Told['body']> {
    const told = await this.ask(by, method, `/api/v1${path}`, isRequest(request) ? request : { form: request });
    if (told.status !== 200) throw new Error(`${method} ${path} was refused: ${told.status} ${told.text}`);
    return told.body;
  }

  /** Somebody with a key, as a client of the API. */
  caller(by: Role): Caller {
    const found = this.credentials.get(by);
    if (!found) throw new Error(`${by} has no key`);
    return this.server.as(found).named(this.host);
  }

  /** The password or key that a request of theirs has. */
  authorization(by: Role): Readonly<Record<string, string>> {
    const found = this.credentials.get(by);
    if (by === 'browser') {
      return { cookie: [...this.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    }
    if (!found) return {};
    const { email, key } = found;
    return { authorization: by === 'directory' ? `Bearer ${key}` : `Basic ${btoa(`${email}:${key}`)}` };
  }

  /** Whether a text has something of this twin in it. */
  isIn(text: string): boolean {
    return text.toLowerCase().includes(this.word);
  }
}

const isRequest = (given: Request | Params): given is Request => 'file' in given || 'json' in given || 'form' in given;

function bodyOf({ form = {}, file, json }: Request): URLSearchParams | FormData | string | undefined {
  if (json !== undefined) return JSON.stringify(json);
  const fields = formOf(form);
  if (!file) return fields.size === 0 ? undefined : fields;
  const parts = new FormData();
  for (const [name, value] of fields) parts.append(name, value);
  parts.append('filename', new Blob([file.bytes]), file.name);
  return parts;
}

const typeOf = ({ json }: Request): Readonly<Record<string, string>> =>
  json === undefined ? {} : { 'content-type': 'application/json' };

function fieldsOf(content: string): Told['body'] {
  try {
    return JSON.parse(content) as Told['body'];
  } catch {
    return {};
  }
}
