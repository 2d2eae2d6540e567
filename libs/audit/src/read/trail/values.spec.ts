import { Eraser } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { granted } from '../../../../../test/support/server/caller';
import type { Person } from '../../../../../test/support/server/organization';
import type { TestServer } from '../../../../../test/support/server/server';
import { startTestServer } from '../../../../../test/support/server/server';
import type { Trail } from '../../spec-support/trail-of';
import { ALL, NONE, headOf, realm, sendTo, trailOf } from '../../spec-support/trail-of';
import { TrailEntries } from './trail-entries';
import type { TrailEntry, TrailRights } from './trail-entry';

describe('values before and after a change', () => {
  let server: TestServer;
  let trail: Trail;
  let ada: Person;
  let general: ChannelId;

  beforeAll(async () => {
    server = await startTestServer();
    trail = trailOf(server);
    ada = await server.person({ name: 'Ada' });
    general = await server.channel(server.owner, {
      name: 'talk',
      description: 'one',
      subscribers: [server.owner, ada],
    });
  });
  afterAll(() => server.close());

  const head = () => headOf(server);
  const send = (content: string) => sendTo(ada, general, 'plan', content);
  const changes = (list: readonly TrailEntry[]) => list.map((entry) => entry.changes);
  const changeDescription = async (description: string, by = server.owner) =>
    granted(await by.patch(`/streams/${general}`, { description }));

  it('come from the last earlier event of the stream, on the page or before it', async () => {
    await changeDescription('two');
    granted(await server.owner.patch(`/streams/${general}`, { new_name: 'talk 2' }));
    await changeDescription('three');
    const all = await trail(ALL, 0, 'channels.ChannelDescribed');
    expect(changes(all)).toEqual([
      [{ property: 'description', before: 'one', after: 'two' }],
      [{ property: 'description', before: 'two', after: 'three' }],
    ]);
    const last = all.at(-1)?.position ?? 0;
    expect(changes(await trail(ALL, last - 1, 'channels.ChannelDescribed'))).toEqual(changes(all.slice(-1)));
    expect(changes(await trail(NONE, 0, 'channels.ChannelDescribed'))).toEqual([
      [{ property: 'description', before: null, after: null }],
      [{ property: 'description', before: null, after: null }],
    ]);
  });

  it('are found however many events of the stream are between', async () => {
    await changeDescription('far away');
    for (let n = 0; n < 12; n++) {
      const days = n % 2 === 0 ? 'unlimited' : 'realm_default';
      granted(await server.owner.patch(`/streams/${general}`, { message_retention_days: days }));
    }
    const from = await head();
    await changeDescription('near');
    expect(changes(await trail(ALL, from, 'channels.ChannelDescribed'))).toEqual([
      [{ property: 'description', before: 'far away', after: 'near' }],
    ]);
  });

  it('of a text are its versions, and null once it is erased', async () => {
    const from = await head();
    const id = await send('first');
    granted(await ada.patch(`/messages/${id}`, { content: 'second' }));
    granted(await ada.patch(`/messages/${id}`, { content: 'third' }));
    expect(changes(await trail(ALL, from, 'messages.ContentEdited'))).toEqual([
      [{ property: 'content', before: 'first', after: 'second' }],
      [{ property: 'content', before: 'second', after: 'third' }],
    ]);
    granted(await server.owner.delete(`/messages/${id}`));
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    const erased = await trail(ALL, from, 'messages.ContentEdited', 'messages.MessageSent');
    expect(erased.map(({ words, words_state }) => [words, words_state])).toEqual([
      [null, 'erased'],
      [null, 'erased'],
      [null, 'erased'],
    ]);
    expect(changes(erased).slice(1)).toEqual([
      [{ property: 'content', before: null, after: null }],
      [{ property: 'content', before: null, after: null }],
    ]);
  });

  it('of somebody else stay hidden from a user who replaced them', async () => {
    granted(
      await server.owner.patch(`/streams/${general}`, {
        can_administer_channel_group: { new: { direct_members: [server.owner.id, ada.id], direct_subgroups: [] } },
      }),
    );
    await changeDescription('written by the owner');
    const from = await head();
    await changeDescription('written by Ada', ada);
    await changeDescription('written by Ada again', ada);
    const own: TrailRights = { words: { ownOf: ada.id }, channels: NONE.channels };
    expect(changes(await trail(own, from, 'channels.ChannelDescribed'))).toEqual([
      [{ property: 'description', before: null, after: 'written by Ada' }],
      [{ property: 'description', before: 'written by Ada', after: 'written by Ada again' }],
    ]);
  });

  it('that are equal are no change', async () => {
    const from = await head();
    const property = { property: 'is_muted', value: true };
    granted(await ada.patch(`/users/me/subscriptions/${general}`, property));
    granted(await ada.patch(`/users/me/subscriptions/${general}`, property));
    expect(changes(await trail(ALL, from, 'channels.SubscriptionPropertyChanged'))).toEqual([
      [{ property: 'is_muted', before: false, after: true }],
      [],
    ]);
  });

  it('of the actor are those before the event', async () => {
    const from = await head();
    const bo = await server.person({ name: 'Bo', role: 'owner' });
    granted(await bo.patch(`/users/${bo.id}`, { role: 300 }));
    const shown = await trail(ALL, from, 'users.RoleChanged');
    expect(shown.map(({ sentence, actor }) => [sentence, actor?.role])).toEqual([
      ['Owner changed Bo’s role from member to owner.', 100],
      ['Bo changed their role from owner to moderator.', 100],
    ]);
  });

  it('of a whole page are read with a few queries', async () => {
    const from = await head();
    for (let n = 0; n < 20; n++) await changeDescription(`text ${n}`);
    for (let n = 0; n < 20; n++) await send(`message ${n}`);
    const events = await server.kernel.events.page(realm, from, 1_000);
    const entries = new TrailEntries(server.kernel);
    const query = jest.spyOn(server.kernel.database.pool, 'query');
    try {
      expect(await entries.of(realm, events, ALL)).toHaveLength(events.length);
      expect(query.mock.calls.length).toBeLessThanOrEqual(4);
    } finally {
      query.mockRestore();
    }
  });
});
