import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningRedis } from '@annals/embedded';
import { startRedis } from '@annals/embedded';
import { Redis } from 'ioredis';

/** A Redis of one spec that can stop, start empty at the same address, and hang. */
export class FaultyRedis {
  private readonly listener: Server;
  private readonly sockets = new Set<Socket>();
  private frozen = false;

  private constructor(
    private readonly folder: string,
    private port: number,
    private server: RunningRedis,
  ) {
    this.listener = createServer((client) => this.join(client));
  }

  /** @throws Error when the machine has no Redis; ask for ANNALS_TEST_REDIS_URL before */
  static async start(): Promise<FaultyRedis> {
    const folder = mkdtempSync(join(tmpdir(), 'annals-faulty-redis-'));
    const faulty = new FaultyRedis(folder, 0, await startTestRedis(folder));
    await faulty.openProxy();
    return faulty;
  }

  /** The address that stays. */
  get url(): string {
    const url = new URL(this.server.url);
    url.port = String(this.port);
    return url.href;
  }

  /** Ends the server; connections break and new ones are refused. */
  async stop(): Promise<void> {
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
    await this.server.stop();
  }

  /** Starts a server that remembers nothing, at the same address. */
  async restart(): Promise<void> {
    this.server = await startTestRedis(this.folder);
    await this.openProxy();
  }

  /** Connections stay, and nothing gets through until `thaw`. */
  freeze(): void {
    this.frozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.frozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Nothing gets through the connections there are, for ever; new ones work. */
  strand(): void {
    for (const socket of this.sockets) socket.pause();
  }

  async flushAll(): Promise<void> {
    const redis = new Redis(this.server.url);
    await redis.flushall();
    await redis.quit();
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async openProxy(): Promise<void> {
    this.listener.listen(this.port, '127.0.0.1');
    await once(this.listener, 'listening');
    this.port = (this.listener.address() as AddressInfo).port;
  }

  private join(client: Socket): void {
    const { port } = new URL(this.server.url);
    const server = connect(Number(port), '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.frozen) from.pause();
    }
  }
}

/** Every server of a spec takes one password, as its clients do not change theirs. */
const PASSWORD = 'secret';

async function startTestRedis(dataDir: string): Promise<RunningRedis> {
  const server = await startRedis({ dataDir, log: () => undefined });
  if (!server) throw new Error('this machine has neither redis-server nor valkey-server');
  const admin = new Redis(server.url);
  await admin.config('SET', 'requirepass', PASSWORD);
  await admin.quit();
  const url = new URL(server.url);
  url.password = PASSWORD;
  return { url: url.href, stop: server.stop };
}
