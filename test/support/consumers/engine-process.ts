import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import type { GuardedProcess } from '../../../libs/embedded/src/guarded-process';
import { startService } from '../../../libs/embedded/src/guarded-process';
import type { TestFolder } from '../server/test-folder';
import { createTestFolder } from '../server/test-folder';

type Engine = 'nats' | 'redis';

/** The programs of engines, by which of them this machine has. Those of a system are not in the path of every user. */
const PROGRAMS: Readonly<Record<Engine, readonly string[]>> = {
  nats: ['nats-server'],
  redis: ['redis-server', 'valkey-server'],
};
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Settings with which an engine keeps everything in a folder, and says that it has stored what it has stored. */
const SETTINGS: Readonly<Record<Engine, (folder: string, port: number, password: string) => string[]>> = {
  nats: (folder, port) => ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder],
  redis: (folder, port, password) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
    ...['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--requirepass', password],
  ],
};

function programOf(engine: Engine): string | undefined {
  const files = PROGRAMS[engine].flatMap((name) => FOLDERS.map((folder) => join(folder, name)));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * `describe` for specs that need an engine. They are skipped on a machine without it, and their title says so.
 */
export function describeWith(engine: Engine, title: string, specs: () => void): void {
  if (programOf(engine) !== undefined) describe(title, specs);
  else describe.skip(`${title} (skipped: this machine has no ${PROGRAMS[engine].join(' or ')})`, specs);
}

/** An engine of this machine, on 127.0.0.1. It can be stopped and started again with all that it stored. */
export class EngineProcess {
  private running: GuardedProcess | null = null;

  private constructor(
    private readonly engine: Engine,
    private readonly folder: TestFolder,
    private readonly password: string,
    private port?: number,
  ) {}

  /** @param password of a Redis, which has none by default */
  static async start(engine: Engine, password = ''): Promise<EngineProcess> {
    const process = new EngineProcess(engine, await createTestFolder(), password);
    await process.start();
    return process;
  }

  /** `host:port` */
  get address(): string {
    return `127.0.0.1:${this.port ?? 0}`;
  }

  get url(): string {
    return `${this.engine}://${this.address}`;
  }

  /** Starts it, on the port that it had before. */
  async start(): Promise<void> {
    const { engine, folder, password } = this;
    const started = await startService({
      name: engine,
      port: this.port,
      commandOn: (port) => ({
        command: programOf(engine) ?? '',
        args: SETTINGS[engine](folder.path, port, password),
        stopSignal: 'SIGTERM',
        logFile: join(folder.path, 'log'),
      }),
      answersOn,
    });
    this.port = started.port;
    this.running = started;
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = null;
  }

  /** Stops it, and deletes what it stored. */
  async drop(): Promise<void> {
    await this.stop();
    await this.folder.drop();
  }
}

async function answersOn(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
