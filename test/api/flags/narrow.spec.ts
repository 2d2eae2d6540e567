import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { MessageFixture, term } from '../../support/requests/message-fixture';

describe('flags of the messages of a narrow', () => {
  let begun: MessageFixture;
  let member: Person;
  let other: Person;
  beforeAll(async () => {
    begun = await MessageFixture.create();
    ({ member, other } = begun.users);
  });
  afterAll(() => begun.users.server.close());

  const change = (by: Person, params: object) => by.post('/messages/flags/narrow', { ...params });
  const changed = async (by: Person, params: object) => {
    const { result: _, msg: __, ...answer } = granted(await change(by, params));
    return answer;
  };
  const unread = () => begun.all(member, [term('is', 'unread')]);
  const starred = (by: Person) => begun.all(by, [term('is', 'starred')]);

  it('are added and removed around an anchor, and each real change is reported', async () => {
    const { sent } = begun;
    const queue = await member.register({ event_types: ['update_message_flags'] });
    const page = { anchor: sent['open2'], num_before: 1, num_after: 1, narrow: [term('channel', 'open')] };
    expect(await changed(member, { ...page, op: 'add', flag: 'starred' })).toEqual({
      processed_count: 3,
      updated_count: 3,
      first_processed_id: sent['open1'],
      last_processed_id: sent['open3'],
      found_oldest: false,
      found_newest: false,
      ignored_because_not_subscribed_channels: [],
    });
    expect(await starred(member)).toEqual(['open1', 'open2', 'open3']);
    const again = await changed(member, { ...page, num_before: 5, num_after: 5, op: 'add', flag: 'starred' });
    expect(again).toMatchObject({ processed_count: 3, updated_count: 0, found_oldest: true, found_newest: true });
    const without = { ...page, num_before: 0, include_anchor: false };
    expect(await changed(member, { ...without, op: 'remove', flag: 'starred' })).toMatchObject({
      ...{ processed_count: 1, updated_count: 1, first_processed_id: sent['open3'], last_processed_id: sent['open3'] },
    });
    expect(await starred(member)).toEqual(['open1', 'open2']);
    expect(await member.events(queue)).toMatchObject([
      { op: 'add', flag: 'starred', messages: [sent['open1'], sent['open2'], sent['open3']] },
      { op: 'remove', flag: 'starred', messages: [sent['open3']] },
    ]);
    const newestFirst = await begun.fetch(member, { anchor: 'newest', num_before: 1, narrow: [term('is', 'starred')] });
    expect(begun.names(granted(newestFirst).messages.map(({ id }) => id))).toEqual(['open2']);
    expect(await begun.all(member, [term('is', 'starred', true), term('channel', 'open')])).toEqual(['open3']);
  });

  it('mark unread messages of a narrow as read, from the first one', async () => {
    expect(await unread()).toEqual(['open1', 'dm1', 'kept1', 'shared1', 'open3']);
    const first = { anchor: 'first_unread', num_before: 0, num_after: 1, op: 'add', flag: 'read' };
    expect(await changed(member, { ...first, narrow: [term('is', 'unread')] })).toMatchObject({
      ...{ processed_count: 2, updated_count: 2, found_newest: false },
    });
    expect(await unread()).toEqual(['kept1', 'shared1', 'open3']);
    const all = { anchor: 'oldest', num_before: 0, num_after: 100, op: 'add', flag: 'read', narrow: [] };
    expect(await changed(member, all)).toMatchObject({ updated_count: 3, found_newest: true });
    expect(await unread()).toEqual([]);
  });

  it('do not become unread in channels without a subscription, which are reported', async () => {
    const page = { anchor: 'newest', num_before: 10, num_after: 0, op: 'remove', flag: 'read' };
    expect(await changed(other, { ...page, narrow: [term('channel', 'far')] })).toMatchObject({
      ...{ processed_count: 2, updated_count: 0 },
      ignored_because_not_subscribed_channels: [begun.channels['far']],
    });
  });

  it('are left alone where a narrow has no messages', async () => {
    const page = { anchor: 'newest', num_before: 10, num_after: 0, op: 'add', flag: 'starred' };
    expect(await changed(other, { ...page, narrow: [term('topic', 'nothing')] })).toMatchObject({
      ...{ processed_count: 0, updated_count: 0, first_processed_id: null, last_processed_id: null },
    });
  });

  it.each([
    ['no anchor', { anchor: undefined }],
    ['an invalid anchor', { anchor: 'middle' }],
    ['more than 5,000 messages', { num_before: 5_000, num_after: 1 }],
    ['a negative number', { num_before: -1 }],
    ['an anchor left out in the middle', { include_anchor: false, num_after: 1 }],
    ['an unknown flag', { flag: 'purple' }],
    ['a flag that the server sets', { flag: 'mentioned' }],
    ['an unknown operation', { op: 'toggle' }],
    ['an unknown operator', { narrow: [term('colour', 'red')] }],
    ['a channel that is unknown', { narrow: [term('channel', 'nowhere')] }],
  ])('are not changed by a request with %s', async (_, wrong) => {
    const page = { anchor: 'newest', num_before: 10, num_after: 0, op: 'add', flag: 'collapsed', narrow: [] };
    expect((await change(other, { ...page, ...wrong })).status).toBe(400);
    expect(await starred(other)).toEqual([]);
  });
});
