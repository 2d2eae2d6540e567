import { setTimeout as pause } from 'node:timers/promises';
import { startPast } from '@annals/api/past';
import type { PastOptions } from '@annals/kernel';
import { JsonLog, withPast } from '@annals/kernel';
import type { Position, RealmId } from '@annals/kernel/domain';
import { readSettings } from '../../../apps/shared/src/settings';
import { LogRecorder } from '../events/log-recorder';
import type { TestServer } from './server';

const FIRST = 1 as RealmId;
const FATAL = 60;

/** A moment of an organization. */
export type Then = Pick<PastOptions, 'realmId' | 'position' | 'at'>;

/** The present moment of an organization, the first one if left out, when every follower has reached it. */
export async function thisMoment(server: TestServer, realmId = FIRST): Promise<Then> {
  await server.settled();
  const heads = await server.kernel.events.heads([realmId]);
  return { realmId, position: heads.get(realmId) ?? (0 as Position), at: server.clock.now() };
}

/** Serves an organization of a server as it was at a moment, while something runs. */
export async function inPast(
  server: TestServer,
  then: Then,
  run: (url: string) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const given = { PORT: '0', ANNALS_DATA_DIR: server.dataDir, ANNALS_RATE_LIMITS: 'off', ...env };
  const settings = readSettings(given);
  const log = new JsonLog('fatal', new LogRecorder({ write: (line) => void process.stderr.write(line) }, FATAL));
  const live = server.kernel;
  const end = new AbortController();
  const options = { ...then, signal: end.signal, poolSize: 6 };
  await withPast(live, options, async (past) => {
    const { app, url } = await startPast({ past, live }, then.realmId, settings, log);
    try {
      await run(url);
    } finally {
      await app.close();
      end.abort();
    }
  });
}

/** Moves the time of a server until a poll that has nothing to tell is answered. */
export async function afterMinutes<T>(server: TestServer, hanging: Promise<T>): Promise<T> {
  let isAnswered = false;
  const answered = () => (isAnswered = true);
  hanging.then(answered, answered);
  // A poll waits from the moment at which it arrived.
  while (!isAnswered) {
    server.clock.advance(60_000);
    await pause(20);
  }
  return hanging;
}
