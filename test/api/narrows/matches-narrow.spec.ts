import { MessageFixture, term } from '../../support/requests/message-fixture';
import type { Person } from '../../support/server/organization';
import { granted } from '../../support/server/caller';

describe('which messages match a narrow', () => {
  let begun: MessageFixture;
  let owner: Person;
  let other: Person;
  beforeAll(async () => {
    begun = await MessageFixture.create();
    ({ owner, other } = begun.users);
  });
  afterAll(() => begun.users.server.close());

  const ask = (by: Person, params: object) =>
    by.get<{ messages: Record<string, object> }>('/messages/matches_narrow', { ...params });
  const matching = async (by: Person, narrow: readonly unknown[]) => {
    const { messages } = granted(await ask(by, { msg_ids: Object.values(begun.sent), narrow }));
    return begun.names(Object.keys(messages).map(Number));
  };

  it('is answered with the text and the escaped topic of each', async () => {
    const topic = 'a <b> & "c"';
    const sending = owner.post<{ id: number }>('/messages', {
      type: 'channel',
      to: 'open',
      topic,
      content: '**x** & y',
    });
    const { id } = granted(await sending);
    const { messages } = granted(await ask(owner, { msg_ids: [id, begun.sent['dm1']], narrow: [] }));
    expect(messages).toEqual({
      [id]: {
        match_content: '<p><strong>x</strong> &amp; y</p>',
        match_subject: 'a &lt;b&gt; &amp; &quot;c&quot;',
      },
      [begun.sent['dm1'] ?? 0]: { match_content: '<p>dm1</p>', match_subject: '' },
    });
  });

  it('takes the terms of GET /messages', async () => {
    expect(await matching(owner, [term('is', 'dm')])).toEqual(['dm1', 'group1', 'dm2']);
    expect(await matching(owner, [term('is', 'dm', true), term('topic', 'work')])).toEqual(['open2']);
  });

  it('leaves out messages that the user may not see', async () => {
    expect(await matching(other, [term('id', begun.sent['kept1'])])).toEqual([]);
    expect(await matching(other, [term('channels', 'public')])).toEqual(['open1', 'far1', 'open2', 'open3', 'far2']);
  });

  it.each([
    ['without terms', () => []],
    ['of a channel with shared history', () => [term('channel', 'open')]],
    ['outside a channel', () => [term('channel', 'open', true)]],
    ['of a topic', () => [term('topic', 'lunch')]],
    ['of public channels', () => [term('channels', 'public')]],
    ['of a sender', () => [term('sender', owner.id)]],
  ])('finds what GET /messages finds: messages %s', async (_, narrow) => {
    for (const by of [owner, begun.users.member, other]) {
      expect(await matching(by, narrow())).toEqual(await begun.all(by, narrow()));
    }
  });

  it.each([
    ['msg_ids', { narrow: [] }],
    ['narrow', { msg_ids: [1] }],
  ])('needs %s', async (name, params) => {
    const { status, body } = await ask(owner, params);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'REQUEST_VARIABLE_MISSING' });
    expect(body).toMatchObject({ var_name: name });
  });

  it.each([
    ['ids that are no numbers', { msg_ids: ['x'], narrow: [] }],
    ['more than 5,000 ids', { msg_ids: Array.from({ length: 5_001 }, (_, n) => n), narrow: [] }],
    ['a narrow that is no list', { msg_ids: [1], narrow: 'x' }],
  ])('refuses %s', async (_, params) => {
    expect((await ask(owner, params)).status).toBe(400);
  });

  it('refuses an unknown operator', async () => {
    const { status, body } = await ask(owner, { msg_ids: [1], narrow: [term('colour', 'red')] });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_NARROW' });
  });

  it('needs a login', async () => {
    expect((await begun.users.server.as({ email: 'x', key: 'y' }).get('/messages/matches_narrow')).status).toBe(401);
  });
});
