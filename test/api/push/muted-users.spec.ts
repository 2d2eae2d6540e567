import type { Phone } from '../../support/push/bouncer';
import type { PushServer } from '../../support/push/push';
import { pushOutboxEmpty, registeredPhone, startWithPush } from '../../support/push/push';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';

describe('notifications about a muted user', () => {
  let pushed: PushServer;
  let ann: Person;
  let bob: Person;
  let phone: Phone;
  beforeAll(async () => {
    pushed = await startWithPush();
    const { server, bouncer } = pushed;
    [ann, bob] = await Promise.all([server.person({ name: 'Ann' }), server.person({ name: 'Bob' })]);
    ({ phone } = await registeredPhone(server, bouncer, bob));
  });
  afterAll(() => pushed.close());

  const say = async (content: string) =>
    granted(await ann.post<{ id: number }>('/messages', { type: 'direct', to: [bob.id], content })).id;
  /** Ids of the messages that the phone was notified of. */
  async function notified() {
    await pushed.server.settled();
    await pushOutboxEmpty(pushed.server.kernel, () => pushed.server.clock.advance(1_000));
    return pushed.bouncer.notified.calls.flatMap(([one]) => (one.phone === phone.token ? [one.text.message_id] : []));
  }

  it('are not sent for direct messages, mentions and edits, until the user is unmuted', async () => {
    granted(await bob.post(`/users/me/muted_users/${ann.id}`));
    const id = await say('hello');
    await say('@**Bob** hello');
    granted(await ann.patch(`/messages/${id}`, { content: '@**Bob** hello' }));
    expect(await notified()).toEqual([]);
    granted(await bob.delete(`/users/me/muted_users/${ann.id}`));
    const later = await say('hello again');
    expect(await notified()).toEqual([later]);
  });
});
