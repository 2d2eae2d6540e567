import { Kernel } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { idOf, messageSeen, send, sendDirect } from '../../support/requests/messages';
import { inChannel, provided, read, subscribe } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let mia: Person;
let otto: Person;
let open: ChannelId;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  otto = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'pub', subscribers: [owner, mia] });
});
afterAll(() => server.close());

let count = 0;
const newTopic = () => `topic${++count}`;
const post = (by: Person, to: ChannelId, topic: string, params: Params = {}) =>
  idOf(send(by, { to, topic, ...params }));
const html = async (by: Person, id: number) => (await messageSeen(by, id))['content'];

/** The HTML of a direct message of a user to themselves. */
const htmlOf = async (by: Person, content: string) => html(by, await idOf(sendDirect(by, [by.id], { content })));
const link = (channel: ChannelId, name: string, topic: string, end = '') =>
  `<p><a class="stream-topic" data-stream-id="${channel}" ` +
  `href="/#narrow/channel/${channel}-${name}/topic/${topic}${end}">#${name} &gt; ${topic || '<em>general chat</em>'}</a></p>`;

describe('a link to a topic', () => {
  it('uses the newest message of the topic, in any letter case', async () => {
    const topic = newTopic();
    await post(mia, open, topic);
    const upper = await post(owner, open, topic.toUpperCase());
    expect(await htmlOf(otto, `#**PUB>${topic}**`)).toBe(link(open, 'pub', topic, `/with/${upper}`));
    const lower = await post(mia, open, topic);
    const mixed = topic.replace('t', 'T');
    expect(await htmlOf(otto, `#**pub>${mixed}**`)).toBe(link(open, 'pub', mixed, `/with/${lower}`));
  });

  it('uses the name of a topic without messages, and later messages once it is written again', async () => {
    const topic = newTopic();
    const content = `#**pub>${topic}**`;
    const id = await post(mia, open, topic, { content });
    expect(await html(mia, id)).toBe(link(open, 'pub', topic));
    granted(await mia.patch(`/messages/${id}`, { content: `see ${content}` }));
    expect(await html(mia, id)).toContain(`/topic/${topic}/with/${id}"`);
  });

  it('supports the empty topic', async () => {
    const bare = await server.channel(owner, { name: 'bare', subscribers: [mia] });
    expect(await htmlOf(mia, '#**bare>**')).toBe(link(bare, 'bare', ''));
    const id = await post(mia, bare, '');
    expect(await htmlOf(mia, '#**bare>**')).toBe(link(bare, 'bare', '', `/with/${id}`));
  });

  it('resolves after the topic was renamed and moved, with its old text', async () => {
    const [topic, renamed] = [newTopic(), newTopic()];
    const other = await server.channel(owner, { subscribers: [owner, mia] });
    const first = await post(mia, open, topic);
    const content = `#**pub>${topic}**`;
    const received = await idOf(sendDirect(mia, [mia.id], { content }));
    const whole = { propagate_mode: 'change_all', send_notification_to_new_thread: false };
    granted(await owner.patch(`/messages/${first}`, { ...whole, topic: renamed }));
    granted(await owner.patch(`/messages/${first}`, { ...whole, stream_id: other }));
    expect(await html(mia, received)).toBe(link(open, 'pub', topic, `/with/${first}`));
    const narrow = [
      { operator: 'channel', operand: open },
      { operator: 'topic', operand: topic },
      { operator: 'with', operand: first },
    ];
    expect(await read(mia, narrow)).toMatchObject([{ id: first, subject: renamed, stream_id: other }]);
    expect(await htmlOf(mia, content)).toBe(link(open, 'pub', topic));
  });

  it('reveals nothing of channels that its author cannot read', async () => {
    const shared = { invite_only: true, history_public_to_subscribers: true };
    const closed = await server.channel(mia, { name: 'closed', subscribers: [mia], ...shared });
    const topic = newTopic();
    const id = await post(mia, closed, topic);
    const content = `#**closed>${topic}**`;
    expect(await htmlOf(mia, content)).toBe(link(closed, 'closed', topic, `/with/${id}`));
    expect(await htmlOf(otto, content)).toBe(`<p>#<strong>closed&gt;${topic}</strong></p>`);
    expect(await htmlOf(owner, content)).toBe(link(closed, 'closed', topic));
  });

  it('uses only messages that its author received where history is protected', async () => {
    const kept = { invite_only: true, history_public_to_subscribers: false };
    const channel = await server.channel(owner, { name: 'kept', subscribers: [owner, mia], ...kept });
    const topic = newTopic();
    const early = await post(mia, channel, topic);
    granted(await subscribe(owner, ['kept'], [otto], { send_new_subscription_messages: false }));
    const content = `#**kept>${topic}**`;
    expect(await htmlOf(mia, content)).toBe(link(channel, 'kept', topic, `/with/${early}`));
    expect(await htmlOf(otto, content)).toBe(link(channel, 'kept', topic));
    const late = await post(mia, channel, topic);
    expect(await htmlOf(otto, content)).toBe(link(channel, 'kept', topic, `/with/${late}`));
    granted(await otto.delete('/users/me/subscriptions', { subscriptions: ['kept'] }));
    expect(await htmlOf(otto, content)).toBe(`<p>#<strong>kept&gt;${topic}</strong></p>`);
  });

  it('needs one query for all links of a text, and none without links', async () => {
    const [one, two] = [newTopic(), newTopic()];
    await post(mia, open, one);
    const pool = provided(server, Kernel).database.pool;
    const asked = jest.spyOn(pool, 'query');
    const questions = async (content: string) => {
      asked.mockClear();
      await idOf(sendDirect(mia, [mia.id], { content }));
      return asked.mock.calls.filter(([query]) => (query as { name?: string }).name === 'messages-newest-readable')
        .length;
    };
    try {
      expect(await questions(`#**pub>${one}** #**pub>${two}** #**pub>${one}**`)).toBe(1);
      for (const content of ['hello', 'see #**pub**', `#**nowhere>${one}**`, `#**pub>${one}@1**`]) {
        expect(await questions(content)).toBe(0);
      }
    } finally {
      asked.mockRestore();
    }
  });
});

describe('a move notice', () => {
  const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
  const noticeIn = async (channel: ChannelId, topic: string) =>
    (await read(mia, narrowTo(channel, topic), true)).at(-1)?.content;
  const narrowTo = (channel: ChannelId, topic: string) => [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ];

  it('links to the new topic by a message, and to an emptied one by name', async () => {
    const [topic, there] = [newTopic(), newTopic()];
    const id = await post(mia, open, topic);
    await post(mia, open, topic);
    granted(await owner.patch(`/messages/${id}`, { topic: there, propagate_mode: 'change_all', ...both }));
    expect(await noticeIn(open, topic)).toContain(`/topic/${there}/with/${id}"`);
    expect(await noticeIn(open, there)).toContain(`/topic/${topic}"`);
    expect(await inChannel(mia, open, there)).toHaveLength(3);
  });

  it('links by a message to a topic that keeps messages', async () => {
    const [topic, there] = [newTopic(), newTopic()];
    const stays = await post(mia, open, topic);
    const goes = await post(mia, open, topic);
    granted(await owner.patch(`/messages/${goes}`, { topic: there, ...both }));
    expect(await noticeIn(open, topic)).toContain(`/topic/${there}/with/${goes}"`);
    expect(await noticeIn(open, there)).toContain(`/topic/${topic}/with/${stays}"`);
  });
});
