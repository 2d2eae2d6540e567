import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { MessageFixture, term } from '../../support/requests/message-fixture';

describe('a narrow by what messages are to the reader', () => {
  let begun: MessageFixture;
  let owner: Person;
  let member: Person;
  let other: Person;
  beforeAll(async () => {
    begun = await MessageFixture.create();
    ({ owner, member, other } = begun.users);
  });
  afterAll(() => begun.users.server.close());

  it('finds unread messages, and with a negation those that were read', async () => {
    const unread = ['open1', 'dm1', 'kept1', 'shared1', 'open3'];
    expect(await begun.all(member, [term('is', 'unread')])).toEqual(unread);
    expect(await begun.all(member, [term('is', 'unread', true)])).toEqual(['open2', 'group1', 'dm2']);
    expect(await begun.all(member, [term('is', 'unread'), term('is', 'dm')])).toEqual(['dm1']);
    expect(await begun.all(other, [term('is', 'unread'), term('channel', 'open')])).toEqual([]);
  });

  it('does not find messages that were moved to where the reader is not subscribed', async () => {
    const { sent, channels } = begun;
    granted(await owner.patch(`/messages/${sent['open3']}`, { stream_id: channels['far'] }));
    const inFar = [term('channel', 'far'), term('is', 'unread')];
    expect(await begun.all(member, inFar)).toEqual([]);
    expect(await begun.all(member, [term('is', 'unread')])).toEqual(['open1', 'dm1', 'kept1', 'shared1']);
    expect(await begun.all(member, [term('is', 'unread', true), term('channel', 'far')])).toContain('open3');
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'far' }], principals: [member.id] }));
    expect(await begun.all(member, inFar)).toEqual([]);
    granted(await owner.patch(`/messages/${sent['open3']}`, { stream_id: channels['open'] }));
    expect(await begun.all(member, [term('is', 'unread'), term('id', sent['open3'])])).toEqual([]);
  });
});
