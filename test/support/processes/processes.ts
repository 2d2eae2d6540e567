import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readChildMessage } from '@annals/embedded';
import { Kernel } from '@annals/kernel';
import { pino } from 'pino';
import { contexts } from '../../../apps/shared/src/contexts';
import type { Caller } from '../server/caller';
import type { TestFolder } from '../server/test-folder';
import { createTestFolder } from '../server/test-folder';
import type { TestDatabase } from '../server/database';
import { createTestDatabase } from '../server/database';
import { SERVER_TEMPLATE } from '../server/template';
import { Organization, setUpTestOrganization } from '../server/organization';
import { RoundRobin } from './round-robin';
import type { NamedText } from '../laws/secrets-law';

const fromSources = (app: string) => ({
  main: join(__dirname, '../../../apps', app, 'src/main.ts'),
  execArgv: ['-r', require.resolve('../typescript.cjs')],
});

/** A process of ours as an operator starts it. */
export class AppProcess {
  /** Its exit code, when it has ended in whatever way; null when a signal ended it. */
  readonly ended: Promise<number | null>;

  private constructor(
    private readonly child: ChildProcess,
    /** Where it listens; empty for a worker. */
    readonly url: string,
  ) {
    this.ended = once(child, 'exit').then(([code]) => code as number | null);
  }

  /** @throws Error with the output of the process when it does not start */
  static async start(
    app: 'api' | 'worker',
    env: Readonly<Record<string, string>>,
    onOutput: (first: string) => void,
    { main, execArgv } = fromSources(app),
  ): Promise<AppProcess> {
    const child = fork(main, {
      execArgv,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stdout?.setEncoding('utf8').on('data', onOutput);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      onOutput(text);
      process.stderr.write(text);
    });
    const [first] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => [{ kind: 'failed', message: `${app} ended with ${String(code)}` }]),
    ])) as unknown[];
    const message = readChildMessage(first);
    if (message?.kind !== 'ready') throw new Error(message?.message ?? `${app} sent an unknown message`);
    return new AppProcess(child, message.address ?? '');
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  signal(name: 'SIGINT' | 'SIGTERM'): void {
    this.child.kill(name);
  }

  /** Freezes it, with all its connections, until `resume`. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    await this.ended;
  }
}

export interface ProcessOptions {
  /** 1 when left out, as of workers. */
  readonly apis?: number;
  readonly workers?: number;
  /** Left out, the Redis of the suite where there is one; empty: queues on PostgreSQL. */
  readonly redisUrl?: string;
  /** A PostgreSQL of its own that has the templates; left out, that of the suite. */
  readonly adminUrl?: string;
  /** Settings that differ from those of specs. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts api and worker as processes of their own, on a database of their own, behind a proxy that sends each request to
 * the next api.
 */
export async function startProcesses({
  apis = 1,
  workers = 1,
  redisUrl,
  adminUrl,
  env: given,
}: ProcessOptions = {}): Promise<ProcessServer> {
  const database = await createTestDatabase({ template: SERVER_TEMPLATE, ...(adminUrl ? { adminUrl } : {}) });
  const folder = await createTestFolder();
  const redis = redisUrl ?? process.env['ANNALS_TEST_REDIS_URL'];
  const log = pino({ level: 'fatal' });
  const kernel = await Kernel.open({ databaseUrl: database.url, redisUrl: redis, contexts, log, poolSize: 4 });
  const proxy = await RoundRobin.open();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis ?? '',
    PORT: '0',
    ANNALS_DATA_DIR: folder.path,
    ANNALS_URL: proxy.url,
    ANNALS_RATE_LIMITS: 'off',
    ANNALS_WELCOME_BOT: 'off',
    ANNALS_LOG_LEVEL: 'trace',
    ANNALS_DRAIN_SECONDS: '0',
    ...given,
  };
  const server = new ProcessServer(kernel, proxy, database, folder, env);
  try {
    await setUpTestOrganization(kernel);
    await Promise.all([
      ...Array.from({ length: workers }, () => server.startWorker()),
      ...Array.from({ length: apis }, () => server.startApi()),
    ]);
    await server.logOwnerIn();
    return server;
  } catch (error) {
    await server.end();
    throw error;
  }
}

/** A server whose parts are processes that can be killed. */
export class ProcessServer extends Organization {
  private readonly running = new Set<AppProcess>();
  private readonly logged: string[] = [];

  constructor(
    kernel: Kernel,
    private readonly proxy: RoundRobin,
    private readonly database: TestDatabase,
    private readonly folder: TestFolder,
    /** The settings of its processes. */
    readonly env: Readonly<Record<string, string>>,
  ) {
    super(kernel);
  }

  override get url(): string {
    return this.proxy.url;
  }

  protected override get redisUrl(): string | undefined {
    return this.env['REDIS_URL'] === '' ? undefined : this.env['REDIS_URL'];
  }

  protected override get outputs(): readonly NamedText[] {
    return [['standard output and error', this.output]];
  }

  /** The output of its processes so far. */
  get output(): string {
    return this.logged.join('');
  }

  /** Starts one more api to which the proxy sends requests. @param env settings that differ from those of the others */
  async startApi(env: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
    const api = await this.start('api', env);
    this.proxy.targets.push(api.url);
    return api;
  }

  /** A kernel beside that of the spec, as a command of the operator opens one. The caller closes it. */
  anotherKernel(): Promise<Kernel> {
    const log = pino({ level: 'fatal' });
    const { databaseUrl, redisUrl } = { databaseUrl: this.database.url, redisUrl: this.redisUrl };
    return Kernel.open({ databaseUrl, redisUrl, contexts, log, poolSize: 2 });
  }

  /** Starts one more worker. @param env settings that differ from those of the others */
  startWorker(env: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
    return this.start('worker', env);
  }

  /** Addresses of the apis behind the proxy, for asking a certain one. */
  get urls(): readonly string[] {
    return this.proxy.targets;
  }

  /** The same account on the one of two apis and on the other. */
  sides(caller: Caller): [here: Caller, there: Caller] {
    const [here = '', there = ''] = this.urls;
    return [caller.at(here), caller.at(there)];
  }

  /** The processes of one app that run. */
  get apis(): readonly AppProcess[] {
    return [...this.running].filter(({ url }) => url !== '');
  }

  get workers(): readonly AppProcess[] {
    return [...this.running].filter(({ url }) => url === '');
  }

  /** Ends a process without warning; the proxy notices at once. */
  async kill(one: AppProcess): Promise<void> {
    this.running.delete(one);
    this.proxy.targets = this.proxy.targets.filter((url) => url !== one.url);
    await one.kill();
  }

  /** Ends everything. @throws Error when a law does not hold of what happened on this server */
  async close(): Promise<void> {
    try {
      await this.settled();
      await this.stop();
      await this.ensureLaws();
    } finally {
      await this.end();
    }
  }

  /** Ends everything, in any state. */
  async end(): Promise<void> {
    await this.stop();
    await this.proxy.close();
    await this.kernel.close();
    await this.database.drop();
    await this.folder.drop();
  }

  private async stop(): Promise<void> {
    await Promise.all([...this.running].map((one) => one.stop()));
    this.running.clear();
  }

  private async start(app: 'api' | 'worker', env: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
    const started = await AppProcess.start(app, { ...this.env, ...env }, (first) => this.logged.push(first));
    this.running.add(started);
    return started;
  }
}
