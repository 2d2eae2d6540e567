import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

export type Answer = Readonly<Record<string, unknown>>;
type Form = Readonly<Record<string, string>>;

const FORM = 'application/x-www-form-urlencoded';

/** An API client of one account that keeps its connections open. */
export class ApiClient {
  private readonly authorization: string;

  /**
   * @param host under which its organization is found; left out, it is the one of the address
   * @param agent whose connections it uses; left out, it has its own
   */
  constructor(
    readonly address: string,
    email: string,
    key: string,
    private readonly host?: string,
    private readonly agent = new Agent({ keepAlive: true }),
  ) {
    this.authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  }

  get(path: string, query: Form = {}): Promise<Answer> {
    return this.ask('GET', `${path}?${new URLSearchParams(query).toString()}`);
  }

  post(path: string, form: Form = {}): Promise<Answer> {
    return this.ask('POST', path, new URLSearchParams(form).toString());
  }

  put(path: string, form: Form): Promise<Answer> {
    return this.ask('PUT', path, new URLSearchParams(form).toString());
  }

  patch(path: string, form: Form): Promise<Answer> {
    return this.ask('PATCH', path, new URLSearchParams(form).toString());
  }

  /** A stream of server-sent events. @throws Error when the answer is a refusal */
  async stream(path: string, query: Form): Promise<IncomingMessage> {
    const url = `${path}?${new URLSearchParams(query).toString()}`;
    const response = await this.answerTo('GET', url, '', FORM, { accept: 'text/event-stream' });
    if (response.statusCode !== 200) throw new Error(`GET ${path}: ${JSON.stringify(await json(response))}`);
    return response;
  }

  /** Takes an answer in without looking into it. @throws Error unless its status is 200 */
  async receive(method: string, path: string): Promise<void> {
    const status = await this.send(method, path, '');
    if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
  }

  /** Sends a body unchanged and receives the answer without parsing it. @returns its status */
  async send(method: string, path: string, body: string, type = FORM): Promise<number> {
    const response = await this.answerTo(method, path, body, type);
    for await (const _ of response) continue;
    return response.statusCode ?? 0;
  }

  /** Another account that uses the same connections, as clients behind a proxy do. */
  as(email: string, key: string): ApiClient {
    return new ApiClient(this.address, email, key, this.host, this.agent);
  }

  /** Breaks what is open. */
  close(): void {
    this.agent.destroy();
  }

  /** @throws Error when the answer is a refusal or the connection breaks */
  private async ask(method: string, path: string, body = ''): Promise<Answer> {
    const answer = (await json(await this.answerTo(method, path, body))) as Answer;
    if (answer['result'] !== 'success') throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  private answerTo(method: string, path: string, body: string, type = FORM, more: Form = {}): Promise<IncomingMessage> {
    const headers = {
      ...more,
      authorization: this.authorization,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      ...(this.host === undefined ? {} : { host: this.host }),
    };
    return new Promise<IncomingMessage>((resolve, reject) => {
      const url = `${this.address}/api/v1${path}`;
      request(url, { method, headers, agent: this.agent }, resolve).on('error', reject).end(body);
    });
  }
}
