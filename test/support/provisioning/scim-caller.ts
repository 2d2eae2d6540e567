import { secrets } from '../laws/secrets';
import type { Caller } from '../server/caller';
import { granted } from '../server/caller';

/** A resource, a list or an error of SCIM. */
export type ScimBody = Readonly<Record<string, unknown>>;

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty without a body. */
  readonly body: ScimBody;
}

type Headers_ = Readonly<Record<string, string>>;

const TYPE = 'application/scim+json';

/** A directory: a client of SCIM with a token. */
export class ScimCaller {
  constructor(
    readonly url: string,
    readonly token: string,
    private readonly host?: string,
  ) {
    secrets.add('key', token.slice(token.lastIndexOf('-') + 1));
  }

  /** The same directory at another address of the server. */
  at(url: string): ScimCaller {
    return new ScimCaller(url, this.token, this.host);
  }

  /** The same directory at another host name of the server. */
  named(host: string): ScimCaller {
    return new ScimCaller(this.url, this.token, host);
  }

  get(path: string, headers?: Headers_): Promise<ScimAnswer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown, headers?: Headers_): Promise<ScimAnswer> {
    return this.send('POST', path, body, headers);
  }

  put(path: string, body: unknown, headers?: Headers_): Promise<ScimAnswer> {
    return this.send('PUT', path, body, headers);
  }

  delete(path: string, headers?: Headers_): Promise<ScimAnswer> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** A PATCH with operations. */
  patch(path: string, operations: readonly object[], headers?: Headers_): Promise<ScimAnswer> {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    return this.send('PATCH', path, { schemas, Operations: operations }, headers);
  }

  /** Resources that meet a filter. */
  async find(path: string, filter: string): Promise<ScimBody[]> {
    const { status, body } = await this.get(`${path}?count=1000&filter=${encodeURIComponent(filter)}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return (body.Resources ?? []) as ScimBody[];
  }

  /** @param body JSON, or a text that is sent as it is @throws Error when the answer is neither empty nor of SCIM */
  async send(method: string, path: string, body?: unknown, headers: Headers_ = {}): Promise<ScimAnswer> {
    const answer = await fetch(`${this.url}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(this.host !== undefined && { 'x-forwarded-host': this.host }),
        ...(body !== undefined && { 'content-type': TYPE }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (text !== '' && answer.headers.get('content-type') !== TYPE)
      throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return { status: answer.status, headers: answer.headers, body: text === '' ? {} : (JSON.parse(text) as ScimBody) };
  }
}

/** Issues a token as an owner. */
export async function directoryOf(owner: Caller, params: Readonly<Record<string, unknown>> = {}): Promise<ScimCaller> {
  const { token } = granted(
    await owner.post<{ token: string }>('/provisioning/tokens', { name: 'Directory', ...params }),
  );
  return new ScimCaller(owner.url, token);
}

/** The body of a refusal. */
export const scimError = (status: number, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail: expect.any(String) as unknown,
});
