import type { INestApplicationContext, Type } from '@nestjs/common';
import { CheckpointSigner, WitnessSender } from '@annals/audit';
import { DeliveryWorker, TaskRunner } from '@annals/bots';
import { PushWorker } from '@annals/consumers';
import { EmailNotifier } from '@annals/email-notifications';
import { OrphanedFiles, ThumbnailWorker } from '@annals/files';
import { EndingSweep } from '@annals/invitations';
import { JsonLog, Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { LmtpServer, MailReceiver } from '@annals/incoming-mail';
import { MailComposers, MailDispatcher } from '@annals/mail';
import { ScheduledRuns } from '@annals/provisioning';
import { Deliverer } from '@annals/scheduling';
import { PreviewWorker } from '@annals/messages';
import { Metrics, Routes } from '@annals/web';
import type { DestinationStream } from 'pino';
import { pino } from 'pino';
import type { RunningApi } from '../../../apps/api/src/start-api';
import { startApi } from '../../../apps/api/src/start-api';
import { contexts } from '../../../apps/shared/src/contexts';
import type { Settings } from '../../../apps/shared/src/settings';
import { readSettings } from '../../../apps/shared/src/settings';
import { startWorker } from '../../../apps/worker/src/start-worker';
import type { TestFolder } from './test-folder';
import { createTestFolder } from './test-folder';
import type { TestDatabase } from './database';
import { createTestDatabase } from './database';
import { settled } from './settled';
import { SERVER_TEMPLATE } from './template';
import { DeclaredAnswers } from '../laws/declared-answers';
import { LogRecorder } from '../events/log-recorder';
import { Organization, setUpTestOrganization } from './organization';
import type { NamedText } from '../laws/secrets-law';

export interface ServerOptions {
  /** Applications that serve HTTP, each with a kernel of its own; 1 when left out. */
  readonly apis?: number;
  /** The time of all of them; left out, one that begins with 2026. */
  readonly clock?: ManualClock;
  /** Settings that differ from those of specs, for example `ANNALS_RATE_LIMITS`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where logs from level info on go; left out, only what is fatal is logged. */
  readonly log?: DestinationStream;
}

/** Unlike the product's own way, which writes lines together, it leaves no timer behind. */
const STANDARD_ERROR: DestinationStream = { write: (line) => void process.stderr.write(line) };

const INFO = 30;
const FATAL = 60;

/** Parts that the processes of one server share. */
interface SharedParts {
  readonly settings: Settings;
  readonly clock: ManualClock;
  readonly log: LogRecorder;
}

/**
 * Starts the real thing in this process, on a database of its own: an organization with its owner, api and worker, on
 * Redis where the suite has one. One server for a spec file; `close()` in its `afterAll` also checks the laws.
 */
export async function startTestServer(options: ServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase({ template: SERVER_TEMPLATE });
  const folder = await createTestFolder();
  const settings = readSettings({
    DATABASE_URL: database.url,
    REDIS_URL: process.env['ANNALS_TEST_REDIS_URL'],
    PORT: '0',
    ANNALS_DATA_DIR: folder.path,
    ANNALS_RATE_LIMITS: 'off',
    ANNALS_WELCOME_BOT: 'off',
    ANNALS_LOG_LEVEL: 'trace',
    ...options.env,
  });
  const clock = options.clock ?? new ManualClock(Date.UTC(2026, 0, 1) as Instant);
  const log = options.log ? new LogRecorder(options.log, INFO) : new LogRecorder(STANDARD_ERROR, FATAL);
  const parts = { settings, clock, log };
  const server = new TestServer(await openKernel(parts), parts, database, folder);
  try {
    await setUpTestOrganization(server.kernel);
    await server.start(options);
    return server;
  } catch (error) {
    await server.end();
    throw error;
  }
}

function openKernel({ settings, clock, log }: SharedParts): Promise<Kernel> {
  const level = settings.ANNALS_LOG_LEVEL;
  return Kernel.open({
    databaseUrl: settings.DATABASE_URL ?? '',
    redisUrl: settings.REDIS_URL,
    contexts,
    clock,
    poolSize: 3,
    gatherMs: 0,
    log: pino({ level, base: null }, log),
  });
}

/** A running server with its first organization. */
export class TestServer extends Organization {
  readonly apis: RunningApi[] = [];
  private worker: INestApplicationContext | null = null;
  private declared: DeclaredAnswers | null = null;
  private readonly measured: NamedText[] = [];

  constructor(
    kernel: Kernel,
    private readonly parts: SharedParts,
    private readonly database: TestDatabase,
    private readonly folder: TestFolder,
  ) {
    super(kernel);
  }

  /** The time of all its parts. */
  get clock(): ManualClock {
    return this.parts.clock;
  }

  /** The worker. Its parts are those of the product. */
  get running(): Pick<INestApplicationContext, 'get'> {
    if (!this.worker) throw new Error('the worker has not started');
    return this.worker;
  }

  /** PostgreSQL of this server. */
  get databaseUrl(): string {
    return this.database.url;
  }

  /** Where this server keeps what is not in its database. */
  get dataDir(): string {
    return this.folder.path;
  }

  override get url(): string {
    return this.apis[0]?.url ?? '';
  }

  /** Makes the worker end invitations that nobody can use any more, without waiting for its next pass. */
  invitationsEnded(): Promise<void> {
    return this.part(EndingSweep).sweep();
  }

  /** Makes the worker deliver what is due now, without waiting for its next pass. */
  deliverDue(): Promise<void> {
    return this.part(Deliverer).sweep();
  }

  /** Resolves when the bots that the server runs have reacted to everything so far. */
  async botsReacted(): Promise<void> {
    await settled(this.kernel, 'bot-tasks');
    await this.part(TaskRunner).sweep();
  }

  /** Resolves when everything that is due now was sent to outgoing webhooks. */
  async webhooksDelivered(): Promise<void> {
    await settled(this.kernel, 'bot-tasks');
    await this.part(DeliveryWorker).idle();
  }

  /** Resolves when everything that is due now was sent to the webhooks of consumers. */
  async eventsPushed(): Promise<void> {
    await this.part(PushWorker).idle();
  }

  /** Resolves when the mails of everything so far, and those that are due now, were sent. */
  async mailsSent(): Promise<void> {
    await settled(this.kernel);
    // A pass that a job has begun holds what it leased, so it is waited for.
    const dispatcher = this.part(MailDispatcher);
    for (const realmId of (await this.kernel.events.heads()).keys()) await dispatcher.catchUp(realmId);
  }

  /** Makes the worker delete old mails now, instead of within an hour. */
  forgetOldMail(): Promise<void> {
    return this.part(MailDispatcher).cleanUp();
  }

  /** Makes the worker follow the directories whose interval is over. */
  followDirectories(): Promise<void> {
    return this.part(ScheduledRuns).sweep();
  }

  /** Where the worker takes mail by LMTP, with `ANNALS_LMTP_PORT`. */
  get lmtpPort(): number {
    return this.part(LmtpServer).port;
  }

  /** Gives the worker a mail, with `ANNALS_MAIL_PATTERN`. */
  receiveMail(to: string, raw: string): Promise<void> {
    return this.part(MailReceiver).receive({ to, raw: Buffer.from(raw) });
  }

  /** Where a spec adds a kind of mails. */
  get mailComposers(): MailComposers {
    return this.part(MailComposers);
  }

  /** Resolves when it is decided about everything so far who gets a mail about it when, and what is due now is in mails. */
  async missedMailsMade(): Promise<void> {
    await settled(this.kernel, 'email-notification-tasks');
    const notifier = this.part(EmailNotifier);
    for (const realmId of (await this.kernel.events.heads()).keys()) await notifier.catchUp(realmId);
  }

  /** Makes the worker make the thumbnails of all images that were uploaded, which it does only on request. */
  makeThumbnails(): Promise<void> {
    return this.part(ThumbnailWorker).sweep();
  }

  /** Makes the worker look at the pages that messages link to, which it does only on request. */
  async previewLinks(): Promise<void> {
    await settled(this.kernel, 'link-preview-tasks');
    await this.part(PreviewWorker).sweep();
  }

  /** Lets the worker make thumbnails by itself from now on, as the product does. */
  async startThumbnails(): Promise<void> {
    await this.part(ThumbnailWorker).begin();
  }

  /** Makes the worker delete orphaned files now, instead of within an hour. */
  sweepOrphanedFiles(): Promise<void> {
    return this.part(OrphanedFiles).sweep();
  }

  /** Makes the worker sign a checkpoint now, which it does only on request. The first one adds an event. */
  async signCheckpoint(): Promise<void> {
    await this.part(CheckpointSigner).sweep();
  }

  /** Makes the worker send the newest checkpoints to the witnesses now. */
  async askWitnesses(): Promise<void> {
    await this.part(WitnessSender).sweep();
  }

  /** Holds every success to what its endpoint declares. */
  answered(method: string, path: string, body: unknown): void {
    this.declared?.check(method, path, body);
  }

  /** A part of the worker. */
  part<Part>(type: Type<Part>): Part {
    return this.running.get(type);
  }

  protected override get redisUrl(): string | undefined {
    return this.parts.settings.REDIS_URL;
  }

  protected override get outputs(): readonly NamedText[] {
    return [['log', this.parts.log.text], ...this.measured];
  }

  /** For `startTestServer`. */
  async start({ apis = 1 }: ServerOptions): Promise<void> {
    const { parts } = this;
    const { settings } = parts;
    const log = new JsonLog(settings.ANNALS_LOG_LEVEL, parts.log);
    this.worker = await startWorker(await openKernel(parts), settings, log, { signs: false, enriches: false });
    for (let n = 0; n < apis; n++) {
      const api = await startApi(await openKernel(parts), settings, log);
      this.apis.push(api);
      this.declared ??= new DeclaredAnswers(api.app.get(Routes));
    }
    await this.logOwnerIn();
  }

  /** Ends everything. @throws Error when a law does not hold of what happened on this server */
  async close(): Promise<void> {
    try {
      for (const { app } of this.apis) this.measured.push(['metrics', await app.get(Metrics).registry.metrics()]);
      // Each once: Nest would run the hooks of the end again.
      for (const { app } of this.apis.splice(0)) await app.close();
      await this.settled();
      await this.worker?.close();
      this.worker = null;
      await this.ensureLaws();
    } finally {
      await this.end();
    }
  }

  /** Ends everything, in any state. */
  async end(): Promise<void> {
    for (const { app } of this.apis.splice(0)) await app.close();
    await this.worker?.close();
    await this.kernel.close();
    await this.database.drop();
    await this.folder.drop();
  }
}
