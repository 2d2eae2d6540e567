import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { MessageFixture, term } from '../../support/requests/message-fixture';

describe('a narrow by mentions and resolution', () => {
  let begun: MessageFixture;
  let owner: Person;
  let member: Person;
  let other: Person;
  let guest: Person;
  let group: number;
  beforeAll(async () => {
    begun = await MessageFixture.create();
    ({ owner, member, other, guest } = begun.users);
    const created = owner.post<{ group_id: number }>('/user_groups/create', {
      name: 'crew',
      description: '',
      members: [member.id],
    });
    group = granted(await created).group_id;
    await write('named', owner, '@**Mia** hello');
    await write('silent', owner, '@_**Mia** hello');
    await write('crew', owner, '@*crew* hello');
    granted(await owner.post(`/user_groups/${group}/members`, { delete: [member.id], add: [other.id] }));
    await write('later', owner, '@*crew* again');
    await write('everyone', owner, '@**all** hello');
    await write('topic', owner, '@**topic** hello');
    await write('outside', owner, '@**Otto** hello', 'far');
    await write('direct', member, '@**Otto** hello', [owner, other]);
    granted(
      await owner.patch(`/messages/${begun.sent['shared1']}`, {
        topic: '✔ plans',
        send_notification_to_new_thread: false,
      }),
    );
  });
  afterAll(() => begun.users.server.close());

  async function write(as: string, by: Person, content: string, to: string | readonly Person[] = 'open') {
    const place =
      typeof to === 'string'
        ? { type: 'channel', to: begun.channels[to], topic: 'lunch' }
        : { type: 'direct', to: to.map(({ id }) => id) };
    begun.sent[as] = granted(await by.post<{ id: number }>('/messages', { content, ...place })).id;
  }
  const all = (by: Person, narrow: unknown) => begun.all(by, narrow);

  it('finds what mentions the reader by name, by wildcard, or as a member of a group when it was written', async () => {
    expect(await all(member, [term('is', 'mentioned')])).toEqual(['named', 'crew', 'everyone']);
    expect(await all(other, [term('is', 'mentioned')])).toEqual(['outside', 'direct']);
    expect(await all(guest, [term('is', 'mentioned')])).toEqual([]);
  });

  it('finds the messages with the flag', async () => {
    const ofMention = new Set(['mentioned', 'wildcard_mentioned']);
    for (const by of [owner, member, other]) {
      const { messages } = granted(await begun.fetch(by, { anchor: 'newest', num_before: 100 }));
      const flagged = messages.filter(({ flags }) => flags.some((flag) => ofMention.has(flag)));
      expect(await all(by, [term('is', 'mentioned')])).toEqual(begun.names(flagged.map(({ id }) => id)));
    }
  });

  it('finds mentions in one channel, and none in history that the reader did not receive', async () => {
    const inOpen = term('channel', 'open');
    expect(await all(member, [inOpen, term('is', 'mentioned')])).toEqual(['named', 'crew', 'everyone']);
    expect(await all(other, [inOpen, term('is', 'mentioned')])).toEqual([]);
    expect(await all(member, [term('is', 'mentioned'), term('sender', member.id)])).toEqual([]);
  });

  it('excludes mentions when it is negated', async () => {
    const narrow = [term('channel', 'open'), term('is', 'mentioned', true)];
    expect(await all(member, narrow)).toEqual(['open1', 'open2', 'open3', 'silent', 'later', 'topic']);
  });

  it('continues after messages that mention other groups only', async () => {
    const page = await begun.fetch(member, {
      anchor: begun.sent['everyone'],
      include_anchor: false,
      num_before: 1,
      narrow: [term('is', 'mentioned')],
    });
    const { messages, found_oldest } = granted(page);
    expect(begun.names(messages.map(({ id }) => id))).toEqual(['crew']);
    expect(found_oldest).toBe(false);
  });

  it('finds what mentions a user by name, given by id or address, among messages that the reader may see', async () => {
    for (const operand of [member.id, member.email.toUpperCase()]) {
      expect(await all(owner, [term('mentions', operand)])).toEqual(['named']);
      expect(await all(other, [term('mentions', operand), term('channel', 'open')])).toEqual(['named']);
      expect(await all(other, [term('mentions', operand)])).toEqual([]);
    }
    expect(await all(member, [term('mentions', other.id)])).toEqual(['direct']);
    expect(await all(owner, [term('mentions', other.id)])).toEqual(['outside', 'direct']);
    expect(await all(owner, [term('mentions', other.id, true), term('channel', 'far')])).toEqual(['far1', 'far2']);
  });

  it('follows an edit of the text', async () => {
    const edit = (content: string) => owner.patch(`/messages/${begun.sent['far2']}`, { content });
    granted(await edit('@**Mia** far2'));
    expect(await all(owner, [term('mentions', member.id)])).toEqual(['far2', 'named']);
    granted(await edit('far2'));
    expect(await all(owner, [term('mentions', member.id)])).toEqual(['named']);
  });

  it('finds resolved topics', async () => {
    expect(await all(member, [term('is', 'resolved')])).toContain('shared1');
    expect(await all(member, [term('is', 'resolved'), term('channel', 'open')])).toEqual([]);
    expect(await all(member, [term('is', 'resolved', true), term('channel', 'shared')])).toEqual([]);
    expect(await all(other, [term('is', 'resolved')])).toEqual([]);
  });

  it('finds group conversations with a user', async () => {
    for (const operand of [member.id, member.email]) {
      expect(await all(owner, [term('group-pm-with', operand)])).toEqual(['group1', 'direct']);
    }
    expect(await all(owner, [term('group-pm-with', guest.id)])).toEqual([]);
    expect(await all(owner, [term('group-pm-with', member.id, true), term('is', 'dm')])).toEqual(['dm1', 'dm2']);
  });

  it.each<[string, readonly unknown[]]>([
    ['an unknown user', [term('mentions', 999_999)]],
    ['an unknown address', [term('mentions', 'nobody@example.com')]],
    ['a channel with group conversations', [term('channel', 'open'), term('group-pm-with', 1)]],
  ])('refuses %s', async (_, narrow) => {
    const { status, body } = await begun.fetch(owner, { anchor: 'newest', narrow });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_NARROW' });
  });
});
