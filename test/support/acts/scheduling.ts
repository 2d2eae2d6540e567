import fc from 'fast-check';
import { remindersOf, inMinutes, scheduledOf } from '../requests/scheduling';
import type { Act } from './act';
import { act } from './act';
import { pick, viewer } from './world';

const MINUTE = 60_000;

const message = fc.record({ by: viewer, to: fc.nat(9), direct: fc.boolean(), minutes: fc.integer({ min: 1, max: 5 }) });
const change = fc.record({ by: viewer, which: fc.nat(9), to: fc.option(fc.nat(9)), minutes: fc.option(fc.nat(5)) });
const reminder = fc.record({
  by: viewer,
  which: fc.nat(9),
  noted: fc.boolean(),
  minutes: fc.integer({ min: 1, max: 5 }),
});

/** Scheduled messages and reminders, and the passing of time. */
export const schedulingActs: readonly Act[] = [
  act('schedule', 4, message, (world, { by, to, direct, minutes }) =>
    world.viewer(by).post('/scheduled_messages', {
      ...(direct
        ? { type: 'direct', to: [world.owner.id] }
        : { type: 'channel', to: world.channel(to), topic: `topic ${to}` }),
      content: `later ${world.server.next()}`,
      scheduled_delivery_timestamp: inMinutes(world.server, minutes),
    }),
  ),
  act('reschedule', 2, change, async (world, { by, which, to, minutes }) => {
    const person = world.viewer(by);
    const id = pick(await scheduledOf(person), which)?.scheduled_message_id ?? 0;
    return person.patch(`/scheduled_messages/${id}`, {
      ...(to !== null && { type: 'channel', to: world.channel(to), topic: `topic ${to}` }),
      ...(minutes !== null && { scheduled_delivery_timestamp: inMinutes(world.server, minutes) }),
      content: `even later ${world.server.next()}`,
    });
  }),
  act('unschedule', 1, fc.record({ by: viewer, which: fc.nat(9) }), async (world, { by, which }) => {
    const id = pick(await scheduledOf(world.viewer(by)), which)?.scheduled_message_id ?? 0;
    return world.viewer(by).delete(`/scheduled_messages/${id}`);
  }),
  act('remind', 3, reminder, (world, { by, which, noted, minutes }) =>
    world.viewer(by).post('/reminders', {
      ...(noted ? { note: `note ${world.server.next()}` } : { message_id: world.message(which) }),
      scheduled_delivery_timestamp: inMinutes(world.server, minutes),
    }),
  ),
  act('end reminder', 1, fc.record({ by: viewer, which: fc.nat(9) }), async (world, { by, which }) => {
    const id = pick(await remindersOf(world.viewer(by)), which)?.reminder_id ?? 0;
    return world.viewer(by).delete(`/reminders/${id}`);
  }),
  // Beyond a quarter of an hour scheduled messages are too late.
  act('later', 4, fc.constantFrom(1, 2, 5, 20), async ({ server }, minutes) => {
    server.clock.advance(minutes * MINUTE);
    await server.deliverDue();
  }),
];
