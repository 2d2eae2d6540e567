import type { LargeOrganization } from './organization';
import { LONGEST, worst } from './worst-texts';

/** The description of each heavy request, for the table. */
export const HEAVY = {
  register: 'POST /register of 20,000 people, 1,000 channels and 20,000 unread messages',
  users: 'GET /users of 20,000 people',
  streams: 'GET /streams of 1,000 channels',
  subscriptions: 'GET /users/me/subscriptions with 220,000 subscribers',
  members: 'GET /streams/{id}/members of 20,000',
  short: 'GET /messages, 5,000 short ones',
  narrow: 'GET /messages, 5,000 and a hundred terms',
  long: 'GET /messages of the worst texts',
  search: 'GET /messages, 5,000 found by a common word',
  words: 'GET /messages, a search for 50 words in phrases',
  past: 'GET /messages, 5,000 as they were',
  matches: 'GET /messages/matches_narrow, 5,000 and a search',
  history: 'GET /messages/{id}/history of a thousand edits',
  events: 'GET /events with a thousand edits',
  groups: 'members of 500 groups in each other',
  send: 'POST /messages of the worst texts',
  edit: 'PATCH /messages/{id}, all of a text',
  render: 'POST /messages/render of the worst texts',
  flags: 'POST /messages/flags of 10,000',
  marked: 'POST /messages/flags/narrow, 5,000 found by a common word',
  move: 'PATCH /messages/{id}, a topic of 20,000 messages',
  direct: 'POST /messages to 1,000 people',
  group: 'POST /user_groups/create of 20,000 people',
  channels: 'a thousand channels made by one request',
  escapes: '2 MB of broken escapes',
  pluses: '2 MB of spaces',
  fields: '1,000 fields of 2 MB',
  numbers: 'JSON of a million numbers',
  keys: 'JSON of 100,000 keys',
  depth: 'JSON of 2 MB of brackets',
  strings: 'JSON of 2 MB of escapes',
  parts: '20,000 fields of a multipart form',
} as const;
export type Heavy = keyof typeof HEAVY;

/** A request that asks for as much as one may. */
export interface HeavyRequest {
  readonly name: Heavy;
  readonly method: string;
  readonly path: string;
  /** Its body; another one for each number, where it changes something. */
  readonly body: (n: number) => string;
  readonly status: number;
  /** Type of the body; that of a plain form when left out. */
  readonly type?: string;
}

const MEGABYTES = 2_000_000;
const form = (fields: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
const query = (path: string, fields: Readonly<Record<string, unknown>>) => `${path}?${form(fields)}`;
const filled = (piece: string): string => piece.repeat(MEGABYTES / piece.length).slice(0, MEGABYTES - 100);

const reading = (name: Heavy, path: string, method = 'GET'): HeavyRequest => ({
  name,
  method,
  path,
  body: () => '',
  status: 200,
});

const changing = (
  name: Heavy,
  [method, path]: readonly [method: string, path: string],
  fields: (n: number) => Readonly<Record<string, unknown>>,
): HeavyRequest => ({ name, method, path, body: (n) => form(fields(n)), status: 200 });

/** A form that is refused, as soon as may be. */
const refused = (name: Heavy, body: string): HeavyRequest => ({
  name,
  method: 'POST',
  path: '/users/me/subscriptions',
  body: () => body,
  status: 400,
});

/** A word of most messages of the chat. */
const COMMON_WORD = 'people';
const newest = { anchor: 'newest', num_before: 5_000, num_after: 0 };
const messages = (narrow: unknown, more = {}) => query('/messages', { ...newest, narrow, ...more });
const common = [['search', COMMON_WORD]];

const read = (organization: LargeOrganization): HeavyRequest[] => {
  const { people, everybody, edited, queue, groups } = organization;
  const others = people.slice(0, 100).map((operand) => ({ operator: 'sender', operand, negated: true }));
  return [
    reading('register', '/register', 'POST'),
    reading('users', '/users'),
    reading('streams', '/streams'),
    reading('subscriptions', '/users/me/subscriptions?include_subscribers=true'),
    reading('members', `/streams/${everybody}/members`),
    reading('short', messages([['channel', 'talk']])),
    reading('narrow', messages(others)),
    reading('long', messages([['channel', 'general']])),
    ...found(organization),
    reading('history', `/messages/${edited}/history`),
    reading('events', `/events?queue_id=${queue}&last_event_id=-1&dont_block=true`),
    reading('groups', `/user_groups/${groups.at(-1) ?? 0}/members`),
  ];
};

const found = ({ talkIds }: LargeOrganization): HeavyRequest[] => [
  reading('search', messages(common)),
  reading('words', messages([['search', '"every word that people say" '.repeat(10)]])),
  reading('past', messages([['channel', 'talk']], { as_of: `p${talkIds.at(-1)}` })),
  reading('matches', query('/messages/matches_narrow', { msg_ids: talkIds.slice(-5_000), narrow: common })),
];

const write = ({ people, edited, groups, talkIds }: LargeOrganization): HeavyRequest[] => [
  changing('send', ['POST', '/messages'], (n) => ({
    ...{ type: 'channel', to: 'general', topic: 'worst', content: worst(n) },
  })),
  changing('edit', ['PATCH', `/messages/${edited}`], (n) => ({
    content: `${n} ${'ab '.repeat(LONGEST)}`.slice(0, LONGEST).replaceAll('a', String.fromCharCode(97 + (n % 26))),
  })),
  changing('render', ['POST', '/messages/render'], (n) => ({ content: worst(n) })),
  changing('flags', ['POST', '/messages/flags'], (n) => ({
    ...{ messages: talkIds.slice(-10_000), op: n % 2 ? 'remove' : 'add', flag: 'starred' },
  })),
  changing('marked', ['POST', '/messages/flags/narrow'], (n) => ({
    ...{
      anchor: 'newest',
      num_before: 5_000,
      num_after: 0,
      narrow: common,
      op: n % 2 ? 'add' : 'remove',
      flag: 'read',
    },
  })),
  changing('move', ['PATCH', `/messages/${talkIds[0]}`], (n) => ({
    ...{ topic: `moved ${n}`, propagate_mode: 'change_all', send_notification_to_new_thread: false },
  })),
  changing('direct', ['POST', '/messages'], () => ({
    ...{ type: 'direct', to: people.slice(0, 999), content: 'hello' },
  })),
  changing('group', ['POST', '/user_groups/create'], (n) => ({
    ...{ name: `heavy ${n}`, description: '', members: people, subgroups: groups },
  })),
  changing('channels', ['POST', '/users/me/subscriptions'], (n) => ({
    subscriptions: Array.from({ length: 1_000 }, (_, m) => ({
      name: `heavy ${n} ${m}`,
      description: '*a* '.repeat(250),
    })),
    send_new_subscription_messages: 'false',
  })),
];

const REFUSED: readonly HeavyRequest[] = [
  refused('escapes', `a=${filled('%FFa')}`),
  refused('pluses', `a=${filled('+')}`),
  refused('fields', Array.from({ length: 1_000 }, (_, n) => `f${n}=${'%41'.repeat(600)}`).join('&')),
  refused('numbers', `subscriptions=[${filled('1,')}1.5]`),
  refused('keys', `subscriptions={${keys(100_000)}}`),
  refused('depth', `subscriptions=${filled('[')}`),
  refused('strings', `subscriptions=["${filled('\\u0061')}"]`),
  { ...refused('parts', multipart(20_000)), type: 'multipart/form-data; boundary=edge' },
];

function keys(count: number): string {
  return Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join();
}

function multipart(parts: number): string {
  const part = (n: number) => `--edge\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\nx\r\n`;
  return `${Array.from({ length: parts }, (_, n) => part(n)).join('')}--edge--\r\n`;
}

/** The heaviest known requests of one user. */
export const heavyRequests = (organization: LargeOrganization): HeavyRequest[] => [
  ...read(organization),
  ...write(organization),
  ...REFUSED,
];
