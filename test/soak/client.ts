/** An answer: its status and the object in the envelope. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  /** How long to wait for the answer, in ms. */
  readonly patienceMs: number;
  /** Ends the wait before. */
  readonly signal?: AbortSignal;
}

/** An account that talks to several api processes: to one of them, and to the next when that one fails. */
export class Client {
  private readonly authorization: string;
  private turn: number;

  /** @param first number of the process to begin with */
  constructor(
    private readonly addresses: readonly string[],
    email: string,
    key: string,
    first = 0,
  ) {
    this.authorization = `Basic ${btoa(`${email}:${key}`)}`;
    this.turn = first;
  }

  /**
   * Asks once. What is not answered may have been done all the same.
   * @throws Error when the connection breaks, the signal aborts or the patience ends
   */
  async ask({ method, path, form = {}, patienceMs, signal }: Asked): Promise<Answer> {
    const parameters = new URLSearchParams(form);
    const asksInUrl = method === 'GET';
    const url = `${this.addresses[this.turn % this.addresses.length]}/api/v1${path}`;
    const patience = AbortSignal.timeout(patienceMs);
    try {
      const response = await fetch(asksInUrl ? `${url}?${parameters.toString()}` : url, {
        method,
        headers: { authorization: this.authorization },
        ...(asksInUrl ? {} : { body: parameters }),
        signal: signal ? AbortSignal.any([signal, patience]) : patience,
      });
      const body = (await response.json()) as Answer['body'];
      if (response.status >= 500) this.turn++;
      return { status: response.status, body };
    } catch (error) {
      this.turn++;
      throw error;
    }
  }

  /** The same for what must succeed. @throws Error when it is not answered or refused */
  async must(method: Asked['method'], path: string, form: Asked['form'] = {}): Promise<Answer['body']> {
    const { status, body } = await this.ask({ method, path, form, patienceMs: 30_000 });
    if (status !== 200) throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(body)}`);
    return body;
  }
}
