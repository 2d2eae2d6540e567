import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let member: Person;
let other: Person;
beforeAll(async () => {
  server = await startTestServer();
  member = await server.person();
  other = await server.person();
});
afterAll(() => server.close());

interface Answered {
  readonly subscribed: Record<string, string[]>;
  readonly already_subscribed: Record<string, string[]>;
  readonly new_subscription_messages_sent?: boolean;
  readonly ignored_parameters_unsupported?: string[];
}
const subscribe = (subscriptions: readonly Params[], more: Params = {}) =>
  member.post<Answered>('/users/me/subscriptions', { subscriptions, ...more });
const channelsCalled = async (name: string) => {
  const { streams } = granted(await member.get<{ streams: { name: string }[] }>('/streams', { include_all: true }));
  return streams.filter((one) => one.name.toLowerCase() === name.toLowerCase());
};

/** The properties of a channel that does not exist yet, as clients send them. */
const AS_CLIENTS_DO = {
  authorization_errors_fatal: false,
  announce: true,
  invite_only: false,
  is_web_public: false,
  is_default_stream: false,
  history_public_to_subscribers: true,
  message_retention_days: '"realm_default"',
  topics_policy: '"inherit"',
  send_new_subscription_messages: true,
};

describe('subscribing with all parameters of clients', () => {
  it('honours every parameter', async () => {
    const { status, body } = await subscribe([{ name: 'as a browser', description: 'new' }], AS_CLIENTS_DO);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        result: 'success',
        msg: '',
        subscribed: { [member.id]: ['as a browser'] },
        already_subscribed: {},
        unauthorized: [],
        new_subscription_messages_sent: true,
      },
    });
  });

  it('reports whether notices were sent, unless they were disabled', async () => {
    const given = async (more: Params) =>
      granted(await subscribe([{ name: 'quiet' }], { principals: [other.id], ...more }))[
        'new_subscription_messages_sent'
      ];
    expect(await given({})).toBe(true);
    expect(await given({ send_new_subscription_messages: true })).toBe(true);
    expect(await given({ send_new_subscription_messages: false })).toBeUndefined();
    const wrong = await subscribe([{ name: 'wrong' }], { send_new_subscription_messages: 'yes' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await channelsCalled('wrong')).toEqual([]);
  });

  it('sends no notices to more than a hundred users', async () => {
    const many: number[] = [];
    for (let n = 0; n <= 100; n += 1) many.push((await server.bot(server.owner)).id);
    const given = async (name: string, principals: number[]) =>
      granted(await subscribe([{ name }], { principals }))['new_subscription_messages_sent'];
    expect(await given('hundred', many.slice(1))).toBe(true);
    expect(await given('more', many)).toBe(false);
    expect(await given('hundred', many)).toBe(true);
    // So many names could occupy a server for minutes.
    const names = Array.from({ length: 1_000 }, (_, n) => `flood ${n}`);
    const flood = await subscribe(
      names.map((name) => ({ name })),
      { principals: many },
    );
    expect(flood).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    const ebb = await member.delete('/users/me/subscriptions', { subscriptions: names, principals: many });
    expect(ebb).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await channelsCalled('flood 0')).toEqual([]);
  });

  it('creating a channel accepts every parameter, and refuses invalid ones', async () => {
    const input = { name: 'created', subscribers: [member.id], announce: true, send_new_subscription_messages: true };
    const { body } = await member.post<Answered>('/channels/create', input);
    expect(body.ignored_parameters_unsupported).toBeUndefined();
    for (const wrong of [{ announce: 'yes' }, { send_new_subscription_messages: 1 }]) {
      const answer = await member.post('/channels/create', { name: 'wrong', subscribers: [], ...wrong });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    }
    expect(await channelsCalled('wrong')).toEqual([]);
  });
});

describe('a channel that is named several times in one request', () => {
  const names = (name: string) => [{ name }, { name: ` ${name} ` }, { name: name.toUpperCase() }, { name }];

  it('is created once, and subscribed to once', async () => {
    const { status, body } = await subscribe(names('thrice'), { principals: [member.id, other.id, member.id] });
    expect(status).toBe(200);
    expect(body.subscribed).toEqual({ [member.id]: ['thrice'], [other.id]: ['thrice'] });
    expect(await channelsCalled('thrice')).toHaveLength(1);
  });

  it('is listed once as already subscribed', async () => {
    await subscribe([{ name: 'again' }]);
    const events = await member.receive(async () => {
      const { status, body } = await subscribe(names('again'), {
        principals: [member.email, other.email, other.email],
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        subscribed: { [other.id]: ['again'] },
        already_subscribed: { [member.id]: ['again'] },
      });
    }, 'subscription');
    expect(events).toMatchObject([{ op: 'peer_add', user_ids: [other.id] }]);
    const { subscriptions } = granted(
      await other.get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions'),
    );
    expect(subscriptions.filter(({ name }) => name === 'again')).toHaveLength(1);
    expect(await channelsCalled('again')).toHaveLength(1);
  });

  it('is created once by two concurrent requests', async () => {
    const answers = await Promise.all([subscribe(names('at once')), subscribe(names('at once'))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await channelsCalled('at once')).toHaveLength(1);
  });
});

describe('channel properties for a channel that exists', () => {
  let groups: Record<string, number>;
  beforeAll(async () => {
    const { user_groups: all } = granted(
      await member.get<{ user_groups: { id: number; name: string }[] }>('/user_groups'),
    );
    groups = Object.fromEntries(all.map(({ id, name }) => [name.replace('role:', ''), id]));
    granted(await subscribe([{ name: 'existing' }]));
  });

  it.each<[string, () => Params]>([
    ['an unknown group', () => ({ can_send_message_group: 99_999 })],
    ['an unknown person', () => ({ can_subscribe_group: { direct_members: [99_999], direct_subgroups: [] } })],
    ['a group that no setting takes', () => ({ can_send_message_group: groups['internet'] ?? 0 })],
    ['a group that the setting does not take', () => ({ can_subscribe_group: groups['everyone'] ?? 0 })],
    ['an unknown folder', () => ({ folder_id: 99_999 })],
    ['web-public', () => ({ is_web_public: true })],
    ['web-public and private', () => ({ is_web_public: true, invite_only: true })],
    ['private and default', () => ({ is_default_stream: true, invite_only: true })],
    ['topics of a protected history', () => ({ invite_only: true, can_create_topic_group: groups['members'] ?? 0 })],
    ['an unknown policy', () => ({ topics_policy: 'some' })],
    ['a retention of no days', () => ({ message_retention_days: 0 })],
  ])('is refused like that of a new one: %s', async (_, input) => {
    const forNew = await subscribe([{ name: 'not made' }], input());
    const { status, body } = await subscribe([{ name: 'existing' }], { principals: [other.id], ...input() });
    expect({ status, code: body['code'] }).toEqual({ status: 400, code: forNew.body['code'] });
    expect(await channelsCalled('not made')).toEqual([]);
    const { subscriptions } = granted(
      await other.get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions'),
    );
    expect(subscriptions.map(({ name }) => name)).not.toContain('existing');
  });

  it('are ignored, and need no permission to create such a channel', async () => {
    const [before] = await channelsCalled('existing');
    const input = { invite_only: true, message_retention_days: 30, can_send_message_group: groups['nobody'] ?? 0 };
    expect(await subscribe([{ name: 'new' }], input)).toMatchObject({ body: { code: 'UNAUTHORIZED_PRINCIPAL' } });
    expect((await subscribe([{ name: 'existing' }], input)).body).toMatchObject({
      already_subscribed: { [member.id]: ['existing'] },
    });
    expect(await channelsCalled('existing')).toEqual([before]);
  });
});
