import { once } from 'node:events';
import { CannotStart, createDataFolder } from '@annals/embedded';
import type { SetupReport } from '@annals/embedded';
import { addressOf, checkAddress } from './address';
import { SupervisedChild } from './child';
import type { Program, Restarting } from './child';
import { lockDataDir } from './data-dir-lock';
import { forgetPreparedKey, prepareKey, readKey, refusalOf, writeZuliprc, zuliprcPath } from './credentials';
import { openDatabase } from './database';
import { startupBanner } from './startup-banner';
import type { Owner } from './startup-banner';
import { findQueues } from './queues';
import { setUp } from './set-up';
import { mailFolderOf } from '../../shared/src/mail/mail-folder';
import { announceRedis } from '../../shared/src/running-redis';
import { withSecretFiles } from '../../shared/src/secret-files';
import { readSettings } from '../../shared/src/settings';
import type { Settings } from '../../shared/src/settings';

/** How long the remains of a crashed run may take to end and release the port. */
const AFTER_CRASH_PATIENCE_MS = 15_000;

export interface Launch {
  readonly env: NodeJS.ProcessEnv;
  readonly projectRoot: string;
  /** The scripts of the three programs. The setup runs as `setup --json`. */
  readonly programs: { readonly cli: string; readonly api: string; readonly worker: string };
  readonly restarting: Restarting;
  /** Shown to the person at the terminal. */
  readonly say: (line: string) => void;
  /** Ends everything when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Runs Annals on this machine until it is stopped: database, queues, setup, api and worker. Everything that it has
 * started is stopped, in reverse order, before it returns or throws.
 *
 * @throws CannotStart when something prevents the start, or when a child has died too often
 */
export async function runUntilStopped(launch: Launch): Promise<void> {
  const { signal, say } = launch;
  const stops: (() => Promise<void> | void)[] = [];
  try {
    await start(launch, (stop) => stops.push(stop));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (signal.aborted) say('Stopping.');
    for (const stop of stops.reverse()) await stop();
  }
  say('Stopped.');
}

async function start(launch: Launch, onStop: (stop: () => Promise<void> | void) => void): Promise<void> {
  const { env, projectRoot, programs, restarting, say, signal } = launch;
  const settings = readSettings(env, projectRoot);
  const dataDir = createDataFolder(settings.ANNALS_DATA_DIR);
  const claim = await lockDataDir(dataDir, say, signal);
  onStop(claim.release);
  signal.addEventListener('abort', claim.announceStop);
  const patienceMs = claim.afterCrash ? AFTER_CRASH_PATIENCE_MS : 0;
  await checkAddress(settings.HOST, settings.PORT, patienceMs, say, signal);
  const database = await openDatabase(settings, say, signal);
  onStop(database.stop);
  signal.throwIfAborted();
  const queues = await findQueues(settings, say, { signal });
  onStop(queues.stop);
  if (queues.url !== undefined) onStop(announceRedis(dataDir, queues.url));
  signal.throwIfAborted();

  const childEnv = childEnvironment(env, settings, database.url, queues.url);
  const programOf = (script: string): Program => ({ script, cwd: projectRoot, env: childEnv });
  say('Preparing the database.');
  const ANNALS_OWNER_API_KEY = settings.ANNALS_OWNER_API_KEY ?? prepareKey(dataDir);
  const setup = { ...programOf(programs.cli), args: ['setup', '--json'], env: { ...childEnv, ANNALS_OWNER_API_KEY } };
  const report = await setUp(setup, signal);
  const apiKey = keepCredentials(dataDir, report);
  say(report.created ? 'Created the organization. Starting api and worker.' : 'Starting api and worker.');
  const api = new SupervisedChild('api', programOf(programs.api), restarting, say);
  const worker = new SupervisedChild('worker', programOf(programs.worker), restarting, say);
  onStop(async () => void (await Promise.all([api.stop(), worker.stop()])));
  const troubles = [abortOf(signal), endOf(database.ended, dataDir), api.failed, worker.failed];
  const [address = addressOf(settings.HOST, settings.PORT)] = await Promise.race([
    Promise.all([api.start(), worker.start()]),
    ...troubles,
  ]);
  const owner = await Promise.race([ownerAt(address, report.ownerEmail, apiKey), ...troubles]);
  const places = { zuliprc: zuliprcPath(dataDir), data: database.where, queues: queues.where };
  say(startupBanner({ address, ...owner, ...places, mail: mailPlace(settings) }));
  await Promise.race(troubles);
}

/** Where mails go, in words. */
const mailPlace = (settings: Settings): string =>
  settings.ANNALS_SMTP_URL === undefined
    ? `files in ${mailFolderOf(settings)} (ANNALS_SMTP_URL names a mail server)`
    : `through ${new URL(settings.ANNALS_SMTP_URL).host}`;

/** The facts about the owner, after the start of the server, which can check the key. */
async function ownerAt(address: string, ownerEmail: string, apiKey: string | undefined): Promise<Owner> {
  const refusal = apiKey === undefined ? null : await refusalOf(address, ownerEmail, apiKey);
  return { ownerEmail, apiKey, refusal };
}

async function abortOf(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

async function endOf(database: Promise<void>, dataDir: string): Promise<never> {
  await database;
  throw new CannotStart(`PostgreSQL ended unexpectedly; its log is in ${dataDir}.`);
}

function childEnvironment(
  env: NodeJS.ProcessEnv,
  settings: Settings,
  databaseUrl: string,
  redisUrl: string | undefined,
): NodeJS.ProcessEnv {
  const fromSettings = Object.fromEntries(
    Object.entries<unknown>({ ...settings }).map(([name, value]) => [name, String(value)] as const),
  );
  // On this machine there is no other api for requests, so no time is needed to redirect them.
  const ANNALS_DRAIN_SECONDS = env['ANNALS_DRAIN_SECONDS']?.trim() || '0';
  const given: NodeJS.ProcessEnv = {
    ...withSecretFiles(env),
    ...fromSettings,
    ANNALS_DRAIN_SECONDS,
    DATABASE_URL: databaseUrl,
  };
  const { REDIS_URL: _, ...withoutRedis } = given;
  return redisUrl === undefined ? withoutRedis : { ...withoutRedis, REDIS_URL: redisUrl };
}

/** The owner's key: the one the setup was given, if it made it valid, else that of the zuliprc. */
function keepCredentials(dataDir: string, { ownerEmail, apiKey, realmUrl }: SetupReport): string | undefined {
  const key = apiKey ?? readKey(dataDir, ownerEmail);
  if (key !== undefined) writeZuliprc(dataDir, { email: ownerEmail, key, site: realmUrl });
  forgetPreparedKey(dataDir);
  return key;
}
