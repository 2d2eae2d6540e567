import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  guest = await server.person({ role: 'guest', name: 'Gus' });
});
afterAll(() => server.close());

const ENVELOPE = ['result', 'msg'];
const ALWAYS = [
  'queue_id',
  'last_event_id',
  'idle_queue_timeout_secs',
  'zulip_version',
  'zulip_merge_base',
  'zulip_feature_level',
];
/** Fields without which clients do not start (contract/boot.md section 4, R), by fetch key. */
const MANDATORY: Readonly<Record<string, readonly string[]>> = {
  alert_words: ['alert_words'],
  custom_profile_fields: ['custom_profile_fields', 'custom_profile_field_types'],
  onboarding_steps: ['onboarding_steps', 'navigation_tour_video_url'],
  message: ['max_message_id'],
  saved_snippets: ['saved_snippets'],
  drafts: ['drafts'],
  scheduled_messages: ['scheduled_messages'],
  reminders: ['reminders'],
  navigation_views: ['navigation_views'],
  channel_folders: ['channel_folders'],
  muted_topics: ['muted_topics'],
  muted_users: ['muted_users'],
  presence: ['presences', 'presence_last_update_id', 'server_timestamp'],
  realm_domains: ['realm_domains'],
  realm_emoji: ['realm_emoji'],
  realm_linkifiers: ['realm_linkifiers'],
  realm_filters: ['realm_filters'],
  realm_playgrounds: ['realm_playgrounds'],
  realm_user_groups: ['realm_user_groups'],
  realm_bot: ['realm_bots'],
  realm_embedded_bots: ['realm_embedded_bots'],
  realm_incoming_webhook_bots: ['realm_incoming_webhook_bots'],
  recent_private_conversations: ['recent_private_conversations'],
  subscription: ['subscriptions', 'unsubscribed', 'never_subscribed'],
  starred_messages: ['starred_messages'],
  stream: ['streams'],
  default_streams: ['realm_default_streams'],
  default_stream_groups: ['realm_default_stream_groups'],
  stop_words: ['stop_words'],
  user_settings: ['user_settings'],
  realm_user_settings_defaults: ['realm_user_settings_defaults'],
  user_status: ['user_status'],
  user_topic: ['user_topics'],
  video_calls: ['has_zoom_token', 'has_webex_token'],
  giphy: ['giphy_api_key'],
  tenor: ['tenor_api_key'],
  klipy: ['klipy_api_key'],
  device: ['devices'],
  realm_billing: ['realm_billing'],
  realm_user: [
    'realm_users',
    'realm_non_active_users',
    'cross_realm_bots',
    'user_id',
    'email',
    'full_name',
    'is_admin',
  ],
  realm: ['realm_name', 'max_stream_name_length', 'event_queue_longpoll_timeout_seconds', 'server_emoji_data_url'],
};
const fieldsOf = (state: object) => Object.keys(state).filter((name) => ![...ENVELOPE, ...ALWAYS].includes(name));
const state = (params: Params) => member.register(params);

describe('POST /register', () => {
  it('returns a queue, its first event id, and the version of the server', async () => {
    const queue = await member.register({ fetch_event_types: [] });
    expect(queue).toEqual({
      result: 'success',
      msg: '',
      queue_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      last_event_id: expect.any(Number) as number,
      idle_queue_timeout_secs: 600,
      zulip_version: '12.0',
      zulip_merge_base: '12.0',
      zulip_feature_level: 500,
    });
  });

  it('opens any number of queues', async () => {
    const queues = await Promise.all([1, 2, 3].map(() => member.register({ fetch_event_types: [] })));
    expect(new Set(queues.map(({ queue_id }) => queue_id)).size).toBe(3);
  });

  it('requires a login', async () => {
    expect(await server.anonymous.post('/register')).toMatchObject({
      status: 401,
      body: { result: 'error', code: 'UNAUTHENTICATED_USER' },
    });
  });

  it('reports unknown parameters, and only those', async () => {
    const { body } = await member.post('/register', {
      fetch_event_types: [],
      dont_block: true,
      client: 'x',
      unknown: 1,
    });
    expect(body).toMatchObject({ ignored_parameters_unsupported: ['dont_block', 'unknown'] });
  });

  describe('what is fetched', () => {
    it('is everything without a filter', async () => {
      const fields = fieldsOf(await state({}));
      for (const mandatory of Object.values(MANDATORY)) expect(fields).toEqual(expect.arrayContaining([...mandatory]));
      expect(fields).toContain('unread_msgs');
    });

    it.each(Object.entries(MANDATORY))('%s', async (key, fields) => {
      const fetched = fieldsOf(await state({ fetch_event_types: [key] }));
      expect(fetched).toEqual(expect.arrayContaining([...fields]));
      const others = Object.entries(MANDATORY).flatMap(([other, theirs]) => (other === key ? [] : theirs));
      expect(fetched.filter((field) => others.includes(field))).toEqual([]);
    });

    it('defaults to event_types, and ignores unknown types', async () => {
      expect(fieldsOf(await state({ event_types: ['alert_words', 'nonsense', 'zulip_version'] }))).toEqual([
        'alert_words',
      ]);
      expect(fieldsOf(await state({ event_types: ['message'], fetch_event_types: ['alert_words'] }))).toEqual([
        'alert_words',
      ]);
      expect(fieldsOf(await state({ event_types: [] }))).toEqual([]);
    });

    it('includes unread messages only with both types that they consist of', async () => {
      const both = ['message', 'update_message_flags'];
      expect(fieldsOf(await state({ fetch_event_types: both }))).toContain('unread_msgs');
      expect(fieldsOf(await state({ fetch_event_types: ['message'] }))).not.toContain('unread_msgs');
      expect(fieldsOf(await state({ fetch_event_types: ['unread_msgs'] }))).toEqual([]);
    });

    it('omits the legacy muted topics where user_topic is requested', async () => {
      expect(fieldsOf(await state({ fetch_event_types: ['muted_topics', 'user_topic'] }))).toEqual(['user_topics']);
    });
  });

  describe('how long a queue may be idle', () => {
    it.each([
      [undefined, 600],
      [1800, 1800],
      ['mobile', 43_200],
      ['"mobile"', 43_200],
      [604_800, 604_800],
      [999_999_999, 604_800],
      [0, 600],
      ['null', 600],
    ])('%j counts as %d seconds', async (idle_queue_timeout, seconds) => {
      const queue = await state({ fetch_event_types: [], idle_queue_timeout });
      expect(queue.idle_queue_timeout_secs).toBe(seconds);
    });

    it('accepts the old parameter name too', async () => {
      const queue = await state({ fetch_event_types: [], queue_lifespan_secs: 900 });
      expect(queue.idle_queue_timeout_secs).toBe(900);
    });
  });

  it.each([true, false, 'true', 'false', 'partial', '"true"', '"false"', '"partial"'])(
    'accepts %j for include_subscribers',
    async (include_subscribers) => {
      expect((await member.post('/register', { fetch_event_types: [], include_subscribers })).status).toBe(200);
    },
  );

  it('accepts some, unknown and no capabilities', async () => {
    for (const client_capabilities of [{}, { bulk_message_deletion: true }, { from_the_future: 7 }, 'null']) {
      expect((await member.post('/register', { fetch_event_types: [], client_capabilities })).status).toBe(200);
    }
  });

  it('accepts a narrow of pairs or of objects', async () => {
    const pairs = [
      ['channel', 'design'],
      ['stream', 'design'],
      ['topic', 'logo'],
      ['sender', 'iago@zulip.com'],
      ...['dm', 'private', 'starred', 'unread', 'alerted', 'mentioned', 'resolved'].map((operand) => ['is', operand]),
    ];
    const objects = pairs.map(([operator, operand]) => ({ operator, operand }));
    for (const narrow of [pairs, objects, []]) {
      expect((await member.post('/register', { fetch_event_types: [], narrow })).status).toBe(200);
    }
  });

  describe('refuses', () => {
    const refused = (msg: string | RegExp) => ({
      status: 400,
      body: { result: 'error', code: 'BAD_REQUEST', msg: expect.stringMatching(msg) as string },
    });
    const cases: [string, Params, string | RegExp][] = [
      ['an operator that queues cannot be narrowed by', { narrow: [['dm', 'iago']] }, 'Operator dm not supported.'],
      [
        'an operand that queues cannot be narrowed by',
        { narrow: [['is', 'followed']] },
        'Operand followed not supported.',
      ],
      ['a negated term', { narrow: [{ operator: 'is', operand: 'dm', negated: true }] }, /^Invalid narrow/],
      ['a narrow of other things', { narrow: [['is']] }, /^Invalid narrow/],
      ['a narrow that is no JSON', { narrow: '[[' }, 'narrow is not valid JSON'],
      ['event types that are no list', { event_types: '"message"' }, /^Invalid event_types/],
      ['event types that are no texts', { event_types: [1] }, /^Invalid event_types/],
      ['another spelling of true', { apply_markdown: 'yes' }, 'apply_markdown is not a boolean'],
      ['subscribers in another way', { include_subscribers: 'some' }, 'Invalid include_subscribers'],
      ['a negative time', { idle_queue_timeout: -1 }, 'idle_queue_timeout is too small'],
      ['a time that is no number', { idle_queue_timeout: 'desktop' }, 'idle_queue_timeout is not an integer'],
      ['a capability that is no boolean', { client_capabilities: { bulk_message_deletion: 1 } }, /^Invalid client_cap/],
      ['capabilities that are no object', { client_capabilities: [] }, /^Invalid client_capabilities/],
    ];
    it.each(cases)('%s, and opens no queue', async (_, params, msg) => {
      const before = await queueCount();
      expect(await member.post('/register', { fetch_event_types: [], ...params })).toMatchObject(refused(msg));
      expect(await queueCount()).toBe(before);
    });

    it('all public channels to guests', async () => {
      const request = { fetch_event_types: [], all_public_streams: true };
      expect(await guest.post('/register', request)).toMatchObject(refused('^User not authorized for this query$'));
      expect((await member.post('/register', request)).status).toBe(200);
    });
  });

  it('starts where its state ends: no event is missing or repeated', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `law ${n}`);
    let isOpening = true;
    const opening = (async () => {
      for (const name of names) await server.channel(owner, { name });
      isOpening = false;
    })();
    const queues = [];
    while (isOpening) queues.push(await member.register({ fetch_event_types: ['stream'], event_types: ['stream'] }));
    await opening;
    for (const queue of queues) {
      const streams = (queue.streams as { name: string }[]).map(({ name }) => name);
      const events = await member.events(queue);
      const later = events.flatMap(({ streams }) => (streams as { name: string }[]).map(({ name }) => name));
      expect([...streams, ...later].filter((name) => names.includes(name)).sort()).toEqual([...names].sort());
    }
  });

  const queueCount = async () => {
    const { rows } = await server.kernel.database.pool.query<{ count: number }>(
      'SELECT count(*)::int FROM client_queues',
    );
    return rows[0]?.count;
  };
});

describe('the settings of a new user', () => {
  it('are the defaults of the contract', async () => {
    const { user_settings, realm_user_settings_defaults } = granted(
      await member.post<Record<string, Record<string, unknown>>>('/register', {
        fetch_event_types: ['user_settings', 'realm_user_settings_defaults'],
      }),
    );
    expect(user_settings).toMatchObject({ emojiset: 'google', twenty_four_hour_time: false, timezone: '' });
    expect(user_settings).toEqual({ ...realm_user_settings_defaults, timezone: '' });
  });
});
