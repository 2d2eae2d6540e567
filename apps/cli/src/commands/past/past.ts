import type { Kernel, PastProgress } from '@annals/kernel';
import { JsonLog, Moments, realmsKnown, withPast } from '@annals/kernel';
import type { Instant, Position, RealmId } from '@annals/kernel/domain';
import { parseMoment } from '@annals/kernel/domain';
import type { Settings } from '../../../../shared/src/settings';
import { readSettings } from '../../../../shared/src/settings';
import type { Progress } from '../../progress';
import { progress } from '../../progress';

type Print = (line: string) => void;

export interface PastRequest {
  /** The moment, as a text. */
  readonly at: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The address for clients, if it is not where the past listens. */
  readonly url: string | undefined;
  /** Left out: the first organization. */
  readonly realm: number | undefined;
}

/**
 * `annals past`: builds all read models of an organization as they were at a moment, and serves every endpoint that reads
 * them, until it is stopped. If it is killed, the next run for the same position continues.
 *
 * @returns 0
 */
export async function past(
  live: Kernel,
  settings: Settings,
  request: PastRequest,
  { print, signal }: { print: Print; signal: AbortSignal },
): Promise<number> {
  const { PORT, ANNALS_URL } = readSettings({ PORT: String(request.port), ANNALS_URL: request.url });
  const { realmId, position, at } = await placeOf(live, request);
  const bars = new Bars(`realm ${realmId} at ${position}`);
  const { ANNALS_URL: _present, ...others } = settings;
  const own = { ...others, ...(ANNALS_URL === undefined ? {} : { ANNALS_URL }) };
  let port = PORT;
  const show = async (kernel: Kernel, over: AbortSignal): Promise<void> => {
    bars.stop();
    // Loaded here, because no other command needs an HTTP server.
    const { startPast } = await import('@annals/api/past');
    const kernels = { past: kernel, live };
    const { app, url } = await startPast(kernels, realmId, { ...own, PORT: port }, new JsonLog('error'));
    if (port === PORT) {
      print(`Realm ${realmId} as it was at position ${position}, ${new Date(at).toISOString()}: ${url}`);
      print('It is read-only. Ctrl-C ends it and drops its schema.');
    } else print(`Words were erased from the log, so it was built again without them: ${url}`);
    port = Number(new URL(url).port);
    await ended(over);
    await app.close();
  };
  const onProgress = (done: PastProgress) => bars.update(done);
  try {
    await withPast(live, { realmId, position, at, signal, onProgress, poolSize: settings.ANNALS_POOL_SIZE }, show);
  } finally {
    bars.stop();
  }
  return 0;
}

async function placeOf(
  live: Kernel,
  { at: text, realm }: PastRequest,
): Promise<{ realmId: RealmId; position: Position; at: Instant }> {
  const realms = await realmsKnown(live.database.pool);
  const realmId = realms.find((id) => realm === undefined || id === realm);
  if (realmId === undefined)
    throw new Error(realm === undefined ? 'There is no organization yet.' : `There is no realm ${realm}.`);
  const moment = parseMoment(text);
  const { position, at } = await new Moments(live).resolve(realmId, moment);
  if (at === null) throw new Error('There was no organization at that moment.');
  return { realmId, position, at: 'time' in moment ? moment.time : at };
}

const ended = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
};

/** A progress bar for each phase of the build. */
class Bars {
  private current: { readonly phase: string; readonly bar: Progress } | null = null;

  constructor(private readonly what: string) {}

  update({ phase, done, total }: PastProgress): void {
    if (this.current?.phase !== phase) {
      this.stop();
      this.current = { phase, bar: progress(`${this.what}: ${phase}`) };
    }
    this.current.bar.update(done, total);
  }

  stop(): void {
    this.current?.bar.stop();
    this.current = null;
  }
}
