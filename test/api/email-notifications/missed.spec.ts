import type { ChannelId, MessageId, Position, RealmId } from '@annals/kernel/domain';
import { OFFLINE_MS } from '@annals/presence';
import { addEmailTasks } from '../../../libs/email-notifications/src/jobs/email-task-rows';
import { BATCHING_MS, isActive, laterMailsTo, mailsTo } from '../../support/mail/missed';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let [ann, bob]: Person[] = [];
let to: ChannelId;
beforeAll(async () => (server = await startTestServer()));
beforeEach(async () => {
  [ann, bob] = [await server.person({ name: 'Ann Example' }), await server.person({ name: 'Bob Example' })];
  to = await server.channel(anns(), { subscribers: [anns(), bobs()] });
});
afterAll(() => server.close());

const anns = () => ann as Person;
const bobs = () => bob as Person;
const say = (content: string, topic = 'plans', by = anns()) => idOf(send(by, { to, topic, content }));
const direct = (content: string, by = anns()) => idOf(sendDirect(by, [bobs().id], { content }));
const mention = () => `@**Bob Example|${bobs().id}**`;
const settings = async (changes: Readonly<Record<string, unknown>>, by = bobs()) =>
  granted(await by.patch('/settings', changes));
const subscription = async (property: string, value: boolean) =>
  granted(
    await bobs().post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: to, property, value }],
    }),
  );
const policy = async (topic: string, visibility_policy: number) =>
  granted(await bobs().post('/user_topics', { stream_id: to, topic, visibility_policy }));
/** Subjects of all mails to Bob, once the batching period is over. */
const subjects = async () => (await laterMailsTo(server, bobs())).map(({ subject }) => subject);
const DIRECT = 'Direct messages with Ann Example';
const plans = async () => {
  const { stream } = granted(await anns().get<{ stream: { name: string } }>(`/streams/${to}`));
  return `#${stream.name} > plans`;
};

describe('a mail about missed messages', () => {
  it('comes after the batching period, one for each conversation, with all of its messages', async () => {
    await direct('first');
    await say(`${mention()} come`);
    server.clock.advance(BATCHING_MS - 1);
    await direct('second');
    expect(await mailsTo(server, bobs())).toEqual([]);
    server.clock.advance(1);
    const mails = await mailsTo(server, bobs());
    expect(mails.map(({ subject }) => subject).sort()).toEqual([await plans(), DIRECT].sort());
    const both = mails.find(({ subject }) => subject === DIRECT);
    expect(both?.text).toMatch(/Ann Example:\n> first[^]*Ann Example:\n> second/);
    expect(await subjects()).toHaveLength(2);
    await direct('third');
    expect(await subjects()).toHaveLength(3);
  });

  it('waits as long as the user chose', async () => {
    await settings({ email_notifications_batching_period_seconds: 3_600 });
    await direct('patience');
    expect(await subjects()).toEqual([]);
    server.clock.advance(3_600_000);
    expect(await subjects()).toEqual([DIRECT]);
  });

  it('is not sent to users who are online, until they are offline without having read the message', async () => {
    await isActive(server, bobs());
    await direct('are you there?');
    server.clock.advance(BATCHING_MS);
    await isActive(server, bobs());
    server.clock.advance(OFFLINE_MS);
    expect(await mailsTo(server, bobs())).toEqual([]);
    server.clock.advance(1);
    expect((await mailsTo(server, bobs())).map(({ subject }) => subject)).toEqual([DIRECT]);
  });

  it('is sent to users who hide their presence', async () => {
    await settings({ presence_enabled: false });
    await isActive(server, bobs());
    await direct('are you there?');
    expect(await subjects()).toEqual([DIRECT]);
  });

  it('is not about messages that were read, or deleted, or that the user cannot see any more', async () => {
    const read = await direct('read me');
    const deleted = await direct('delete me');
    await say(`${mention()} come`);
    await server.missedMailsMade();
    granted(await bobs().post('/messages/flags', { messages: [read], op: 'add', flag: 'read' }));
    granted(await anns().delete(`/messages/${deleted}`));
    granted(await server.owner.patch(`/streams/${to}`, { is_private: true }));
    granted(await bobs().delete('/users/me/subscriptions', { subscriptions: [(await plans()).slice(1, -8)] }));
    expect(await subjects()).toEqual([]);
  });

  it('is not sent once the account is deactivated, or the sender was muted', async () => {
    granted(await bobs().post(`/users/me/muted_users/${anns().id}`));
    await direct('hello?');
    granted(await bobs().delete(`/users/me/muted_users/${anns().id}`));
    expect(await subjects()).toEqual([]);
    await direct('hello again');
    await server.missedMailsMade();
    granted(await server.owner.delete(`/users/${bobs().id}`));
    expect(await subjects()).toEqual([]);
  });

  it('has the messages as they are when it is sent, where they are then', async () => {
    const id = await say(`${mention()} come to the pary`);
    await server.missedMailsMade();
    granted(await anns().patch(`/messages/${id}`, { content: `${mention()} come to the party`, topic: 'invitations' }));
    const [mail] = await laterMailsTo(server, bobs());
    expect(mail?.subject).toMatch(/ > invitations$/);
    expect(mail?.text).toContain('come to the party');
    expect(mail?.text).not.toContain('pary');
  });

  it('is sent by the settings for direct messages and mentions', async () => {
    await settings({ enable_offline_email_notifications: false, automatically_follow_topics_where_mentioned: false });
    await direct('quiet');
    await say(`${mention()} quiet`);
    expect(await subjects()).toEqual([]);
    await settings({ enable_offline_email_notifications: true });
    await say('@**all** listen');
    expect(await subjects()).toEqual([await plans()]);
    await settings({ wildcard_mentions_notify: false });
    await say('@**all** listen again');
    expect(await subjects()).toHaveLength(1);
  });

  it('is sent for all messages of a channel, or of all channels, by choice', async () => {
    await say('nobody asked');
    expect(await subjects()).toEqual([]);
    await subscription('email_notifications', true);
    await say('wanted here');
    expect(await subjects()).toHaveLength(1);
    await subscription('email_notifications', false);
    await settings({ enable_stream_email_notifications: true });
    await say('not wanted here');
    expect(await subjects()).toHaveLength(1);
    const other = await server.channel(anns(), { name: 'other place', subscribers: [anns(), bobs()] });
    await idOf(send(anns(), { to: other, topic: 'x', content: 'wanted everywhere' }));
    expect((await subjects()).slice(1)).toEqual(['#other place > x']);
    await subscription('email_notifications', true);
    await policy('quiet', 1);
    await say('muted', 'quiet');
    expect(await subjects()).toHaveLength(2);
  });

  it('is sent for followed topics, and for wildcards in them, by choice', async () => {
    await policy('plans', 3);
    await say('followed');
    expect(await subjects()).toHaveLength(1);
    await settings({ enable_followed_topic_email_notifications: false });
    await say('followed quietly');
    expect(await subjects()).toHaveLength(1);
    await settings({ wildcard_mentions_notify: false });
    await say('@**all** in the followed topic');
    expect(await subjects()).toHaveLength(2);
    await settings({ enable_followed_topic_wildcard_mentions_notify: false });
    await say('@**all** in the followed topic');
    expect(await subjects()).toHaveLength(2);
  });

  it('is sent for an edit that mentions the user, unless a mail was about the message', async () => {
    const id = await say('hello');
    granted(await anns().patch(`/messages/${id}`, { content: `hello ${mention()}` }));
    expect(await subjects()).toEqual([await plans()]);
    granted(await anns().patch(`/messages/${id}`, { content: 'hello' }));
    granted(await anns().patch(`/messages/${id}`, { content: `hello ${mention()} again` }));
    expect(await subjects()).toHaveLength(1);
  });

  it('is not sent to bots, and not for own messages', async () => {
    const bot = await server.bot(bobs());
    await idOf(sendDirect(anns(), [bot.id], { content: 'beep' }));
    await direct('a note to myself', bobs());
    expect(await subjects()).toEqual([]);
    expect((await mailsTo(server, bot)).length).toBe(0);
  });
});

describe('adding a task for mails', () => {
  it('reads the message of the task only, however many there are', async () => {
    const ids = await Promise.all(Array.from({ length: 200 }, (_, n) => say(`number ${n}`)));
    const messageId = ids[0] as MessageId;
    const position = Number(messageId) as Position;
    const task = { position, messageId, isEdit: false, at: server.clock.now(), isOrdinary: true };
    const [realmId] = [...(await server.kernel.events.heads()).keys()];
    const read = await server.kernel.database.transaction('BEGIN; SET LOCAL enable_seqscan = off', async (client) => {
      await addEmailTasks(client, realmId as RealmId, [task]);
      const { rows } = await client.query<{ rows: number }>(
        `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int4 AS rows FROM pg_stat_xact_user_tables
           WHERE relname = 'messages'`,
      );
      return rows[0]?.rows;
    });
    expect(read).toBe(1);
  });
});
