import { setTimeout as pause } from 'node:timers/promises';
import type { Phone, ReferenceBouncer } from './bouncer';
import type { Registered, WireEvent } from './caller';
import { granted } from './caller';
import type { Person } from './organization';
import type { TestServer } from './server';

/** How long a spec looks again for what happens in the background, in milliseconds. */
const LOOK_MS = 50;
const PATIENCE_MS = 15_000;

export async function newDevice(person: Person): Promise<number> {
  return granted(await person.post<{ device_id: number }>('/register_client_device')).device_id;
}

/**
 * Everything in a queue, once that is so many events.
 *
 * @param meanwhile what happens before each further look
 * @throws Error when they do not come
 */
export async function told(
  server: TestServer,
  person: Person,
  queue: Registered,
  count: number,
  meanwhile: () => void = () => undefined,
): Promise<readonly WireEvent[]> {
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    await server.settled();
    const events = await person.events(queue);
    if (events.length >= count) return events;
    if (performance.now() > giveUp) throw new Error(`${events.length} of ${count}: ${JSON.stringify(events)}`);
    meanwhile();
    await pause(LOOK_MS);
  }
}

/** A phone that the push service knows as a device of somebody's. */
export async function registeredPhone(
  server: TestServer,
  bouncer: ReferenceBouncer,
  person: Person,
  kind: Phone['kind'] = 'fcm',
): Promise<{ readonly deviceId: number; readonly phone: Phone }> {
  const phone = bouncer.phone(kind);
  const deviceId = await newDevice(person);
  const queue = await person.register({ event_types: ['device'], fetch_event_types: [] });
  granted(await person.post('/mobile_push/register', { device_id: deviceId, ...bouncer.registration(phone) }));
  await told(server, person, queue, 2);
  await person.delete('/events', { queue_id: queue.queue_id });
  return { deviceId, phone };
}

/** Resolves when something is so. @param meanwhile what happens before each further look. @throws Error when it never is */
export async function until(isSo: () => boolean, meanwhile: () => void = () => undefined): Promise<void> {
  const giveUp = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > giveUp) throw new Error('it never was so');
    meanwhile();
    await pause(LOOK_MS);
  }
}

/**
 * Resolves when nothing is to be asked of the push service any more.
 *
 * @param meanwhile what happens before each further look
 * @throws Error when there always is something
 */
export async function quiet(server: TestServer, meanwhile: () => void = () => undefined): Promise<void> {
  await server.settled();
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rowCount } = await server.kernel.database.pool.query('SELECT FROM push_errands WHERE given_up IS NULL');
    if (rowCount === 0) return;
    if (performance.now() > giveUp) throw new Error(`${rowCount} errands to the push service are left`);
    meanwhile();
    await pause(LOOK_MS);
  }
}
