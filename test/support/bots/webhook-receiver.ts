import type { IncomingHttpHeaders, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request to the program. */
export interface WebhookRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the program answers: a status, or the body with the status 200. Objects are JSON. */
export type WebhookReply = number | string | object;

/** A program behind outgoing-webhook bots, or one that gets the events of a consumer, on this machine. Servers must allow its address. */
export class WebhookReceiver {
  static readonly ENV = { ANNALS_WEBHOOK_ALLOW: '127.0.0.1' };

  /** All requests, in their order. */
  readonly asked: WebhookRequest[] = [];
  /** May throw, which ends the connection. */
  answer: (request: WebhookRequest) => WebhookReply | Promise<WebhookReply> = () => ({ response_not_required: true });

  /** Headers of all answers. */
  headers: Readonly<Record<string, string>> = {};

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      receiver.replyTo({ path: request.url ?? '', headers: request.headers, body: '' }, text(request)).then(
        (reply) => {
          if (typeof reply === 'number') response.writeHead(reply, receiver.headers).end('no');
          else response.writeHead(200, receiver.headers).end(typeof reply === 'string' ? reply : JSON.stringify(reply));
        },
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** Its URL, in JSON quotes as the parameters of bots have it. */
  get url(): string {
    return JSON.stringify(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async replyTo(request: WebhookRequest, body: Promise<string>): Promise<WebhookReply> {
    const complete = { ...request, body: await body };
    this.asked.push(complete);
    return this.answer(complete);
  }
}
