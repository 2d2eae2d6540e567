import { MessageFixture, term } from '../../support/requests/message-fixture';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
let sent: MessageFixture['sent'];
let channels: MessageFixture['channels'];
let all: MessageFixture['all'];
let fetch: MessageFixture['fetch'];
beforeAll(async () => {
  const begun = await MessageFixture.create();
  ({ server, owner, member, other, guest } = begun.users);
  ({ sent, channels, all, fetch } = begun);
});
afterAll(() => server.close());

const refused = (code: string, more: object = {}) => ({ status: 400, body: { result: 'error', code, ...more } });

describe('a narrow to', () => {
  it('a channel, by id or name, returns the history that the user may read', async () => {
    for (const by of [member, other]) {
      for (const operand of [channels['open'], 'OPEN']) {
        expect(await all(by, [term('channel', operand)])).toEqual(['open1', 'open2', 'open3']);
      }
      expect(await all(by, [['stream', 'far']])).toEqual(['far1', 'far2']);
    }
    expect(await all(member, [term('channel', 'kept')])).toEqual(['kept1']);
    expect(await all(owner, [term('channel', 'open'), term('channel', 'far')])).toEqual([]);
  });

  it('a channel that the user may not see is a bad narrow, as for an unknown one', async () => {
    for (const operand of [channels['kept'], 'shared', 'nowhere', 999_999, 2 ** 40]) {
      const { status, body } = await fetch(other, { anchor: 'newest', narrow: [term('channel', operand)] });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_NARROW' });
      expect(body).toHaveProperty('desc');
    }
    const administrator = await server.person({ role: 'administrator' });
    expect(await all(administrator, [term('channel', 'kept')])).toEqual([]);
  });

  it('a topic, in a channel or anywhere, in any letter case', async () => {
    expect(await all(member, [term('channel', 'open'), term('topic', 'LUNCH')])).toEqual(['open1', 'open3']);
    expect(await all(member, [term('topic', 'lunch')])).toEqual(['open1', 'open3']);
    expect(await all(owner, [term('topic', 'lunch')])).toEqual(['open1', 'far1', 'open3']);
    for (const empty of ['', 'general chat']) {
      expect(await all(other, [term('channel', 'far'), term('topic', empty)])).toEqual(['far2']);
    }
    expect(await all(member, [term('channel', 'open'), term('topic', 'dinner')])).toEqual([]);
  });

  it('a set of channels', async () => {
    expect(await all(other, [term('channels', 'public')])).toEqual(['open1', 'far1', 'open2', 'open3', 'far2']);
    expect(await all(guest, [term('streams', 'public')])).toEqual([]);
    expect(await all(owner, [term('channels', 'web-public')])).toEqual([]);
    expect(await all(owner, [term('channels', 'archived')])).toEqual([]);
    expect(await all(owner, [term('channels', 'public', true)])).toEqual(['dm1', 'kept1', 'shared1', 'group1', 'dm2']);
  });

  it('a conversation, by ids or emails', async () => {
    for (const operator of ['dm', 'pm-with']) {
      for (const operand of [[member.id], [owner.id, member.id], member.id, member.email]) {
        expect(await all(owner, [term(operator, operand)])).toEqual(['dm1', 'dm2']);
      }
    }
    expect(await all(other, [term('dm', [member.id, owner.id])])).toEqual(['group1']);
    expect(await all(other, [term('dm', `${member.email},${owner.email}`)])).toEqual(['group1']);
    expect(await all(other, [term('dm', [owner.id])])).toEqual([]);
    expect(await all(owner, [term('dm', [owner.id])])).toEqual([]);
  });

  it('conversations with a user, and all of them', async () => {
    expect(await all(owner, [term('dm-including', member.id)])).toEqual(['dm1', 'group1', 'dm2']);
    expect(await all(owner, [term('dm-including', [member.id, other.id])])).toEqual(['group1']);
    expect(await all(owner, [term('dm-including', other.email)])).toEqual(['group1']);
    for (const operand of ['dm', 'private']) {
      expect(await all(owner, [term('is', operand)])).toEqual(['dm1', 'group1', 'dm2']);
    }
  });

  it('a sender, in general or in a channel', async () => {
    for (const operand of [member.id, member.email.toUpperCase()]) {
      expect(await all(owner, [term('sender', operand)])).toEqual(['open2', 'group1', 'dm2']);
      expect(await all(other, [term('sender', operand), term('channel', 'open')])).toEqual(['open2']);
    }
  });

  it('one message, and near one, which is no condition', async () => {
    expect(await all(owner, [term('id', sent['kept1'])])).toEqual(['kept1']);
    expect(await all(owner, [term('id', String(sent['kept1']))])).toEqual(['kept1']);
    expect(await all(other, [term('id', sent['kept1'])])).toEqual([]);
    expect(await all(other, [term('near', sent['kept1'])])).toEqual(['group1']);
  });

  it('the topic or conversation of a message, independent of other terms', async () => {
    for (const operand of [sent['open3'], String(sent['open3'])]) {
      expect(await all(member, [term('with', operand)])).toEqual(['open1', 'open3']);
    }
    const elsewhere = [term('channel', 'far'), term('topic', 'work')];
    expect(await all(member, [...elsewhere, term('with', sent['open1'])])).toEqual(['open1', 'open3']);
    expect(await all(member, [...elsewhere, term('with', sent['dm1'])])).toEqual(['dm1', 'dm2']);
    expect(await all(other, [term('dm', [owner.id]), term('with', sent['group1'])])).toEqual(['group1']);
    expect(await all(owner, [term('with', sent['open2']), term('sender', owner.id)])).toEqual([]);
    expect(await all(owner, [term('with', sent['far2'])])).toEqual(['far2']);
  });

  it('a named topic, where the message of the link is inaccessible', async () => {
    for (const hidden of [sent['kept1'], sent['dm1'], 999_999_999]) {
      const place = [term('channel', 'open'), term('topic', 'lunch')];
      expect(await all(other, [...place, term('with', hidden)])).toEqual(['open1', 'open3']);
      for (const none of [[], [term('channel', 'open')], [term('channel', 'open'), term('topic', 'lunch', true)]]) {
        const narrow = [...none, term('with', hidden)];
        expect(await fetch(other, { anchor: 'newest', narrow })).toMatchObject(refused('BAD_NARROW'));
      }
    }
  });

  it('everything else, when a term is negated', async () => {
    expect(await all(member, [term('channel', 'open', true)])).toEqual(['dm1', 'kept1', 'shared1', 'group1', 'dm2']);
    expect(await all(member, [term('is', 'dm', true)])).toEqual(['open1', 'open2', 'kept1', 'shared1', 'open3']);
    expect(await all(member, [term('channel', 'open'), term('topic', 'lunch', true)])).toEqual(['open2']);
    expect(await all(member, [term('topic', 'plans', true), term('is', 'dm', true)])).toEqual([
      'open1',
      'open2',
      'open3',
    ]);
    expect(await all(owner, [term('sender', owner.id, true)])).toEqual(['open2', 'group1', 'dm2']);
    expect(await all(owner, [term('dm', [member.id], true), term('is', 'dm')])).toEqual(['group1']);
    expect(await all(other, [term('id', sent['group1'], true)])).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['an unknown operator', term('colour', 'red')],
    ['an unknown kind of state', term('is', 'purple')],
    ['an unknown set of channels', term('channels', 'all')],
    ['a list for a channel', term('channel', [1])],
    ['a number for a topic', term('topic', 5)],
    ['an unknown sender', term('sender', 'nobody@example.com')],
    ['an unknown person', term('dm', [999_999])],
    ['a person beyond any', term('dm', [2 ** 45])],
    ['addresses that nobody has', term('dm', 'nobody@example.com')],
    ['a text for an id', term('id', 'x')],
    ['a text for what is near', term('near', 'x')],
    ['a text for a message that a link goes by', term('with', 'x')],
    ['anything but what a link goes by', term('with', 1, true)],
  ])('%s is a bad narrow', async (_, bad) => {
    expect(await fetch(owner, { anchor: 'newest', narrow: [bad] })).toMatchObject(refused('BAD_NARROW'));
  });

  it('a channel and a conversation at once contradicts itself', async () => {
    for (const narrow of [
      [term('with', sent['open1']), term('with', sent['open2'])],
      [term('with', sent['open1']), term('is', 'dm')],
      [term('channel', 'open'), term('dm', [member.id])],
      [term('is', 'dm'), term('topic', 'x')],
    ]) {
      expect(await fetch(owner, { anchor: 'newest', narrow })).toMatchObject(refused('BAD_NARROW'));
    }
  });

  it.each([
    ['an operator alone', ['channel']],
    ['a text', 'channel'],
    ['no operand', { operator: 'channel' }],
  ])('%s is no narrow', async (_, bad) => {
    expect((await fetch(owner, { anchor: 'newest', narrow: [bad] })).status).toBe(400);
  });
});
