import { Eraser } from '@annals/kernel';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { copiesOf } from '../../support/laws/copies';
import type { Person } from '../../support/server/organization';
import { inMinutes, schedule, scheduledId } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  ({ server, owner } = await startWithUsers());
});
afterAll(() => server.close());

it('scheduled messages are erased with the profile of their author, and not sent', async () => {
  const person = await server.person();
  const to = await server.channel(owner, { subscribers: [owner, person] });
  const at = inMinutes(server, 5);
  const message = { to, topic: 'forgettable topic', content: 'forgettable text', scheduled_delivery_timestamp: at };
  const id = await scheduledId(schedule(person, message));
  granted(await person.patch(`/scheduled_messages/${id}`, { content: 'forgettable change' }));
  granted(await person.post('/reminders', { note: 'forgettable note', scheduled_delivery_timestamp: at }));
  const failing = await scheduledId(
    schedule(person, {
      type: 'direct',
      to: [owner.id],
      content: 'forgettable failure',
      scheduled_delivery_timestamp: at - 240,
    }),
  );
  server.clock.advance(30 * 60_000);
  await server.deliverDue();
  expect(granted(await person.get('/scheduled_messages'))).toMatchObject({
    scheduled_messages: [
      { scheduled_message_id: failing, failed: true },
      { scheduled_message_id: id, failed: true },
    ],
  });
  granted(await person.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: inMinutes(server, 5) }));
  granted(await owner.delete(`/users/${person.id}`, { actions: { delete_profile: true } }));
  const received = await owner.receive(async () => {
    server.clock.advance(5 * 60_000);
    await server.deliverDue();
  });
  expect(received).toEqual([]);
  await server.settled();
  await new Eraser(server.kernel, 0).sweep();
  await server.settled();
  const { pool } = server.kernel.database;
  const words = ['forgettable topic', 'forgettable text', 'forgettable change', 'forgettable failure'];
  expect(await copiesOf(pool, words)).toEqual([]);
});
