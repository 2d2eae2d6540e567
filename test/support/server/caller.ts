import { secrets } from '../laws/secrets';

/** Parameters of a request: texts go as they are, everything else as JSON; `undefined` is left out. */
export type Params = Readonly<Record<string, unknown>>;

/** An answer in the envelope. Callers name the fields that they use. */
export interface Answer<Fields = Record<string, unknown>> {
  readonly status: number;
  readonly body: { readonly result: string; readonly msg: string; readonly code?: string } & Fields;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** An event as a queue delivers it. */
export interface WireEvent {
  readonly id: number;
  readonly type: string;
  readonly op?: string;
  readonly [field: string]: unknown;
}

/** A registered queue, with its initial state. */
export interface Registered {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly [field: string]: unknown;
}

export interface Credentials {
  readonly email: string;
  readonly key: string;
}

/** The parts of the server that a caller needs beside its address. */
export interface CallerHome {
  /** Resolves when all client events so far can be delivered. */
  translated(): Promise<void>;
  /** Receives every success; throws when the answer differs from its declaration. */
  answered?(method: string, path: string, body: unknown): void;
}

/** An HTTP client of a server, like real ones: forms in, the envelope out. */
export class Caller {
  private readonly authorization: string | undefined;

  /**
   * @param credentials left out without a login
   * @param host the host name that requests name, as a proxy passes it on. Left out: that of the URL
   */
  constructor(
    private readonly home: CallerHome,
    readonly url: string,
    private readonly credentials?: Credentials,
    private readonly host?: string,
  ) {
    if (credentials) secrets.add('key', credentials.key);
    if (credentials) this.authorization = `Basic ${btoa(`${credentials.email}:${credentials.key}`)}`;
  }

  /** The same account at another address of the server. */
  at(url: string): Caller {
    return new Caller(this.home, url, this.credentials, this.host);
  }

  /** The same account, or nobody, at another host name of the same server. */
  named(host: string): Caller {
    return new Caller(this.home, this.url, this.credentials, host);
  }

  get<Fields = Record<string, unknown>>(path: string, params?: Params, options?: CallOptions) {
    return this.call<Fields>('GET', path, params, options);
  }

  post<Fields = Record<string, unknown>>(path: string, params?: Params, options?: CallOptions) {
    return this.call<Fields>('POST', path, params, options);
  }

  patch<Fields = Record<string, unknown>>(path: string, params?: Params, options?: CallOptions) {
    return this.call<Fields>('PATCH', path, params, options);
  }

  put<Fields = Record<string, unknown>>(path: string, params?: Params, options?: CallOptions) {
    return this.call<Fields>('PUT', path, params, options);
  }

  delete<Fields = Record<string, unknown>>(path: string, params?: Params, options?: CallOptions) {
    return this.call<Fields>('DELETE', path, params, options);
  }

  /** A GET whose answer is bytes instead of the envelope. @param path below `/api/v1` */
  raw(path: string, { headers = {}, signal }: CallOptions = {}): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      headers: { ...this.own, ...headers },
      ...(signal ? { signal } : {}),
    });
  }

  /** Opens a queue. @throws Error when that is refused */
  async register(params?: Params): Promise<Registered> {
    return granted(await this.post<Registered>('/register', params));
  }

  /** One GET /events, which hangs until there is something. @throws Error when it is refused */
  async poll(queueId: string, lastEventId: number, options?: CallOptions): Promise<readonly WireEvent[]> {
    const params = { queue_id: queueId, last_event_id: lastEventId };
    return granted(await this.get<{ events: WireEvent[] }>('/events', params, options)).events;
  }

  /** Everything that is in the queue now after an id, at first since it was registered. Without heartbeats. */
  async events(queue: Registered, lastEventId = queue.last_event_id): Promise<readonly WireEvent[]> {
    await this.home.translated();
    const events: WireEvent[] = [];
    for (let last = lastEventId; ;) {
      const params = { queue_id: queue.queue_id, last_event_id: last, dont_block: true };
      const page = granted(await this.get<{ events: WireEvent[] }>('/events', params)).events;
      const newest = page.at(-1);
      if (!newest) return events.filter(({ type }) => type !== 'heartbeat');
      events.push(...page);
      last = newest.id;
    }
  }

  /**
   * Opens a queue, runs the act and returns its events.
   *
   * @param input the only requested type of event, or parameters of POST /register
   */
  async receive(act: () => Promise<unknown>, input: string | Params = {}): Promise<readonly WireEvent[]> {
    const params = typeof input === 'string' ? { event_types: [input] } : input;
    const queue = await this.register({ fetch_event_types: [], ...params });
    await act();
    const events = await this.events(queue);
    await this.delete('/events', { queue_id: queue.queue_id });
    return events;
  }

  /** The whole answer as text, headers included, whatever it is. @param path from the root of the server */
  async fetched(method: string, path: string): Promise<string> {
    const answer = await fetch(`${this.url}${path}`, { method, headers: this.own, redirect: 'manual' });
    return JSON.stringify([...answer.headers]) + (await answer.text());
  }

  private get own(): Readonly<Record<string, string>> {
    const { authorization, host } = this;
    return {
      ...(authorization === undefined ? {} : { authorization }),
      ...(host === undefined ? {} : { 'x-forwarded-host': host }),
    };
  }

  private async call<Fields>(
    method: string,
    path: string,
    params: Params = {},
    { headers = {}, signal }: CallOptions = {},
  ): Promise<Answer<Fields>> {
    const form = formOf(params);
    const isQuery = method === 'GET' && form.size > 0;
    const url = `/api/v1${path}`;
    const response = await fetch(`${this.url}${url}${isQuery ? `?${form.toString()}` : ''}`, {
      method,
      headers: { ...this.own, ...headers },
      ...(method === 'GET' || form.size === 0 ? {} : { body: form }),
      ...(signal ? { signal } : {}),
    });
    const body = (await response.json()) as Answer<Fields>['body'];
    secrets.exchanged(params, { status: response.status, body });
    if (response.ok) this.home.answered?.(method, url, body);
    return { status: response.status, body, headers: response.headers };
  }
}

/** The fields of a successful answer. @throws Error with the answer of the server otherwise */
export function granted<Fields>({ status, body }: Answer<Fields>): Answer<Fields>['body'] {
  if (status !== 200) throw new Error(`refused with ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Parameters as a form. */
export function formOf(params: Params): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}
