import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Answer, ApiClient } from '../../http/client';

const TYPE = 'application/scim+json';

/** A directory: a client of SCIM with a token, whose connections stay open. */
export class Directory {
  private readonly agent: Agent;

  private constructor(
    private readonly address: string,
    private readonly token: string,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** @param owner who issues its token */
  static async connect(owner: ApiClient, connections: number): Promise<Directory> {
    const { token } = await owner.post('/provisioning/tokens', { name: 'Directory' });
    return new Directory(owner.address, String(token), connections);
  }

  /** @throws Error unless the answer has this status */
  async send(method: string, path: string, body: object | null, status: number): Promise<Answer> {
    const response = await this.answerTo(method, path, body === null ? '' : JSON.stringify(body));
    const answer = response.statusCode === 204 ? {} : ((await json(response)) as Answer);
    if (response.statusCode === 204) response.resume();
    if (response.statusCode !== status) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Breaks what is open. */
  close(): void {
    this.agent.destroy();
  }

  private answerTo(method: string, path: string, body: string): Promise<IncomingMessage> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      'content-type': TYPE,
      'content-length': Buffer.byteLength(body),
    };
    return new Promise<IncomingMessage>((resolve, reject) => {
      const url = `${this.address}/scim/v2${path}`;
      request(url, { method, headers, agent: this.agent }, resolve).on('error', reject).end(body);
    });
  }
}
