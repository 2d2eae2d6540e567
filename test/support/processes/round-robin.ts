import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** The simplest balancer: each request is sent to the next target, from any client. */
export class RoundRobin {
  /** Addresses, as `http://host:port`. */
  targets: string[] = [];
  private turn = 0;

  private constructor(
    private readonly server: Server & { closeAllConnections(): void },
    readonly url: string,
  ) {}

  static async open(): Promise<RoundRobin> {
    const server = createServer((asked, answer) => proxy.forward(asked, answer));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new RoundRobin(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return proxy;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private forward(asked: IncomingMessage, answer: ServerResponse): void {
    const target = this.targets[this.turn++ % this.targets.length];
    if (target === undefined) {
      answer.writeHead(503).end();
      return;
    }
    const { method, headers, url } = asked;
    const passed = request(`${target}${url}`, { method, headers: { ...headers, connection: 'close' } }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    // If a client or an api ends a connection, the other end is ended too, like with any balancer.
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }
}
