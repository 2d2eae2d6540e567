import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@annals/embedded';
import type { RunningPostgres } from '@annals/embedded';
import { flushLate, killWalWriter } from '../../faults/crash';
import { prepareTemplate } from '../server/template';

/** A PostgreSQL with the templates of specs that loses what it has not flushed, and has the same address afterwards. */
export class CrashingPostgres {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly folder: string,
    private running: RunningPostgres,
    private readonly relay: Server,
  ) {}

  static async start(): Promise<CrashingPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'annals-crash-'));
    chmodSync(folder, 0o755);
    const running = await startPostgres({ dataDir: folder, log: () => undefined });
    await prepareTemplate(running.url);
    const relay = createServer();
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const postgres = new CrashingPostgres(folder, running, relay);
    relay.on('connection', (socket) => postgres.pass(socket));
    await flushLate(running.url);
    return postgres;
  }

  /** For its superuser; stays the same. */
  get url(): string {
    const url = new URL(this.running.url);
    url.port = String((this.relay.address() as AddressInfo).port);
    return url.href;
  }

  /** Ends it as a machine does that is switched off, and starts it again. */
  async stopAtOnce(): Promise<void> {
    const [pid] = readFileSync(join(this.running.folder, 'cluster/postmaster.pid'), 'utf8').split('\n').map(Number);
    if (!pid) throw new Error('PostgreSQL does not run');
    process.kill(pid, 'SIGQUIT');
    await this.running.ended;
    this.running = await startPostgres({ dataDir: this.folder, log: () => undefined });
  }

  /** Kills the process for its write-ahead log: it ends all others and recovers. Resolves when they have ended. */
  async killWalWriter(): Promise<void> {
    await killWalWriter(this.running.url);
  }

  async end(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.relay.close(resolve));
    await this.running.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private pass(socket: Socket): void {
    const target = connect(Number(new URL(this.running.url).port), '127.0.0.1');
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
