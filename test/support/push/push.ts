import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import type { Phone } from './bouncer';
import { ReferenceBouncer } from './bouncer';
import type { Registered, WireEvent } from '../server/caller';
import { granted } from '../server/caller';
import type { Organization, Person } from '../server/organization';
import { settled } from '../server/settled';
import type { TestServer } from '../server/server';
import { startTestServer } from '../server/server';

/** Interval and limit of waiting for background work, in ms. */
const LOOK_MS = 25;
const PATIENCE_MS = 60_000;

/** A server, and the push service that it uses. */
export interface PushServer {
  readonly server: TestServer;
  readonly bouncer: ReferenceBouncer;
  close(): Promise<void>;
}

/** @param env settings beside those of the push service */
export async function startWithPush(env: Readonly<Record<string, string>> = {}): Promise<PushServer> {
  const bouncer = await ReferenceBouncer.start();
  const server = await startTestServer({ env: { ...bouncer.env, ...env } });
  const close = async () => {
    await server.close();
    await bouncer.stop();
  };
  return { server, bouncer, close };
}

export async function newDevice(person: Person): Promise<number> {
  return granted(await person.post<{ device_id: number }>('/register_client_device')).device_id;
}

/**
 * Resolves when a condition holds.
 *
 * @param meanwhile what happens before each further look
 * @throws Error with the last state when it never holds
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  meanwhile: () => void = () => undefined,
  looks: () => string = () => 'it never was so',
): Promise<void> {
  const giveUp = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUp) throw new Error(looks());
    meanwhile();
    await pause(LOOK_MS);
  }
}

/** All events of a queue, once there are this many. @param meanwhile what happens before each further look */
export async function eventsOf(
  server: Organization,
  person: Person,
  queue: Registered,
  count: number,
  meanwhile?: () => void,
): Promise<readonly WireEvent[]> {
  let events: readonly WireEvent[] = [];
  const areThere = async () => {
    await server.settled();
    events = await person.events(queue);
    return events.length >= count;
  };
  await until(areThere, meanwhile, () => `${events.length} of ${count}: ${JSON.stringify(events)}`);
  return events;
}

/** Resolves when the push outbox is empty. @param meanwhile what happens before each further look */
export async function pushOutboxEmpty(kernel: Kernel, meanwhile?: () => void): Promise<void> {
  await settled(kernel);
  const isQuiet = async () => {
    const { rowCount } = await kernel.database.pool.query('SELECT FROM push_errands WHERE given_up IS NULL');
    return rowCount === 0;
  };
  await until(isQuiet, meanwhile, () => 'tasks are left in the push outbox');
}

/** A phone that is a registered device of a user. */
export async function registeredPhone(
  server: Organization,
  bouncer: ReferenceBouncer,
  person: Person,
  kind: Phone['kind'] = 'fcm',
): Promise<{ readonly deviceId: number; readonly phone: Phone }> {
  const phone = bouncer.phone(kind);
  const deviceId = await newDevice(person);
  const queue = await person.register({ event_types: ['device'], fetch_event_types: [] });
  granted(await person.post('/mobile_push/register', { device_id: deviceId, ...bouncer.registration(phone) }));
  await eventsOf(server, person, queue, 2);
  await person.delete('/events', { queue_id: queue.queue_id });
  return { deviceId, phone };
}
