import type { ChannelId } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import type { Params } from '../../support/server/caller';
import type { WebhookReceiver } from '../../support/bots/webhook-receiver';
import type { WebhookService } from '../../support/bots/webhook-scene';
import { WebhookScene } from '../../support/bots/webhook-scene';
import { read, texts } from '../../support/requests/notices';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let scene: WebhookScene;
let receiver: WebhookReceiver;
let server: TestServer;
let owner: Person;
let ann: Person;
let bob: Person;
let channel: ChannelId;
let weather: Person;
/** In the format of Slack. */
let slack: Person;
beforeAll(async () => {
  scene = await WebhookScene.start();
  ({ receiver, server, ann, bob, channel, weather } = scene);
  owner = server.owner;
  slack = await server.bot(ann, { name: 'Slack', type: 3, payload_url: receiver.url, interface_type: 2 });
});
afterAll(() => scene.close());
beforeEach(() => scene.reset());

type ShownBot = { readonly user_id: number; readonly services: readonly WebhookService[] };
const TOKEN = expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string;
const refused = (msg: string) => ({ status: 400, body: { code: 'BAD_REQUEST', msg } });
const serviceOf = async (bot: Person, by = ann) => {
  const { realm_bots } = await by.register({ fetch_event_types: ['realm_bot'] });
  return (realm_bots as ShownBot[]).find(({ user_id }) => user_id === bot.id)?.services[0];
};

describe('POST and PATCH /bots with type 3', () => {
  const create = (more: Params) => ann.post<{ user_id: number }>('/bots', { full_name: 'Made', bot_type: 3, ...more });

  it('give a bot a URL, a format and a token, which its owner and administrators see', async () => {
    const url = 'https://example.com/hook';
    const events = await owner.receive(
      () => create({ short_name: 'made', payload_url: JSON.stringify(url), interface_type: 2 }),
      'realm_bot',
    );
    const service = { base_url: url, interface: 2, token: TOKEN };
    expect(events).toMatchObject([{ op: 'add', bot: { services: [service] } }]);
    const { bots } = granted(await ann.get<{ bots: (ShownBot & { username: string })[] }>('/bots'));
    const made = bots.find(({ username }) => username.startsWith('made-'));
    expect(made?.services).toEqual([service]);
    const forOthers = await bob.register({ fetch_event_types: ['realm_bot'] });
    expect(JSON.stringify(forOthers)).not.toContain(made?.services[0]?.token);
  });

  it('change URL and format, with an event for the owner and administrators', async () => {
    const bot = await server.bot(ann, { type: 3, payload_url: receiver.url });
    const before = await serviceOf(bot);
    const other = { service_payload_url: '"https://example.com/other"', service_interface: 2 };
    const changed = { base_url: 'https://example.com/other', interface: 2, token: before?.token };
    const patch = () => ann.patch(`/bots/${bot.id}`, other);
    const events = await owner.receive(async () => {
      const answer = { service_payload_url: changed.base_url, service_interface: 2 };
      expect(await bob.receive(async () => expect(granted(await patch())).toMatchObject(answer), 'realm_bot')).toEqual(
        [],
      );
    }, 'realm_bot');
    expect(events).toMatchObject([{ op: 'update', bot: { user_id: bot.id, services: [changed] } }]);
    expect(await owner.receive(patch, 'realm_bot')).toEqual([]);
    expect(await serviceOf(bot, owner)).toEqual(changed);
  });

  it('refuse what is no URL, an unknown format, a webhook for other bots, and users who may not', async () => {
    expect(await create({ short_name: 'x', payload_url: '"ftp://example.com"' })).toMatchObject(
      refused('Invalid payload_url: Value error, Not a URL'),
    );
    expect(await create({ short_name: 'x', interface_type: 3 })).toMatchObject(refused('Invalid interface type'));
    const patch = (by: Person, bot: Person, more: Params) => by.patch(`/bots/${bot.id}`, more);
    expect(await patch(ann, weather, { service_payload_url: 'here' })).toMatchObject(
      refused('Invalid service_payload_url: Value error, Not a URL'),
    );
    expect(await patch(ann, weather, { service_interface: 0 })).toMatchObject(refused('Invalid interface type'));
    expect(await patch(ann, await server.bot(ann), { service_interface: 1 })).toMatchObject(
      refused('This bot has no outgoing webhook.'),
    );
    expect(await patch(bob, weather, { service_interface: 2 })).toMatchObject(refused('Insufficient permission'));
    const guest = await server.person({ role: 'guest' });
    expect(await guest.post('/bots', { full_name: 'x', short_name: 'x', bot_type: 3 })).toMatchObject({ status: 400 });
    expect(await serviceOf(weather)).toMatchObject({ interface: 1 });
  });
});

describe('the token of a bot', () => {
  it('is deleted with the bot, which is deleted with the profile of its owner', async () => {
    const clara = await server.person();
    const bot = await server.bot(clara, { type: 3, payload_url: receiver.url });
    const stored = async () => {
      const { rowCount } = await server.kernel.database.pool.query('SELECT FROM secrets WHERE id = $1', [
        `bot-token-${bot.id}`,
      ]);
      return rowCount;
    };
    expect(await stored()).toBe(1);
    granted(await owner.delete(`/users/${clara.id}`, { actions: { delete_profile: true } }));
    expect(await stored()).toBe(0);
  });
});

describe('a message for a bot', () => {
  it('that mentions it is sent in the generic format, and the answer is a message in the topic', async () => {
    receiver.answer = () => ({ content: '*Sunny*' });
    expect(await scene.after(bob, 'Is it **cold**, @**Weather**?')).toEqual(['*Sunny*']);
    const [request] = receiver.asked;
    expect(request).toMatchObject({ path: '/hook', headers: { 'content-type': 'application/json' } });
    const content = 'Is it **cold**, @**Weather**?';
    expect(JSON.parse(request?.body ?? '')).toEqual({
      bot_email: weather.email,
      bot_full_name: 'Weather',
      data: content,
      token: (await serviceOf(weather))?.token,
      trigger: 'mention',
      message: {
        id: expect.any(Number) as number,
        type: 'stream',
        stream_id: channel,
        display_recipient: 'sky',
        recipient_id: expect.any(Number) as number,
        subject: expect.stringMatching(/^topic \d+$/) as string,
        topic_links: [],
        sender_id: bob.id,
        sender_email: bob.email,
        sender_full_name: 'Bob',
        sender_realm_str: '',
        avatar_url: expect.stringContaining('https://secure.gravatar.com/') as string,
        client: expect.any(String) as string,
        content,
        content_type: 'text/x-markdown',
        rendered_content: expect.stringContaining('<strong>cold</strong>') as string,
        is_me_message: false,
        timestamp: expect.any(Number) as number,
        reactions: [],
        submessages: [],
      },
    });
  });

  it('that is sent to it alone or in a group is answered there', async () => {
    receiver.answer = () => ({ response_string: 'Rain' });
    expect(await scene.answers(weather, 'tomorrow?')).toEqual(['Rain']);
    expect(JSON.parse(receiver.asked[0]?.body ?? '')).toMatchObject({
      data: 'tomorrow?',
      trigger: 'direct_message',
      message: { type: 'private', display_recipient: [{ id: bob.id }, { id: weather.id }] },
    });
    await idOf(sendDirect(bob, [weather.id, ann.id]));
    await server.webhooksDelivered();
    expect(texts(await read(ann, [{ operator: 'dm', operand: [weather.id, bob.id] }]))).toEqual(['hello', 'Rain']);
  });

  it('is a form in the format of Slack, which knows no direct messages', async () => {
    receiver.answer = () => ({ text: 'Slack says hi' });
    expect(await scene.after(bob, '@**Slack** hi & hello')).toEqual(['Slack says hi']);
    const [request] = receiver.asked;
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const time = expect.stringMatching(/^\d{10}$/) as string;
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      token: (await serviceOf(slack))?.token,
      team_id: 'T1',
      team_domain: 'chat.example.com',
      channel_id: `C${channel}`,
      channel_name: 'sky',
      thread_ts: time,
      timestamp: time,
      user_id: `U${bob.id}`,
      user_name: 'Bob',
      text: '@**Slack** hi & hello',
      trigger_word: 'mention',
      service_id: String(slack.id),
    });
    const [failure] = await scene.answers(slack, 'hi');
    expect(failure).toBe("Failure! Slack outgoing webhooks don't support direct messages.");
    expect(receiver.asked).toHaveLength(1);
  });

  it('may mention it by a group, if the bot got the message', async () => {
    receiver.answer = () => ({ content: 'All of us' });
    const members = [weather.id, slack.id];
    granted(await owner.post('/user_groups/create', { name: 'skies', description: '', members }));
    const subscribing = { subscriptions: [{ name: 'sky' }], principals: [weather.id] };
    granted(await owner.post('/users/me/subscriptions', subscribing));
    expect(await scene.after(bob, 'Hello @*skies*')).toEqual(['All of us']);
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['sky'], principals: [weather.id] }));
  });

  it.each(['@_**Weather** hi', '`@**Weather**`', '@**all** hi', 'hi', '@_*skies*'])(
    'is not meant by %j in a channel',
    async (content) => {
      expect(await scene.after(owner, content)).toEqual([]);
      expect(receiver.asked).toEqual([]);
    },
  );

  it('is not sent where the bot may not read it', async () => {
    const secret = await server.channel(owner, { subscribers: [owner, bob], invite_only: true });
    await idOf(send(bob, { to: secret, content: '@**Weather** hi' }));
    await server.webhooksDelivered();
    expect(receiver.asked).toEqual([]);
  });

  it('of a bot is not sent, so that two of them do not talk for ever', async () => {
    receiver.answer = () => ({ content: '@**Slack** and @**Weather**', text: '@**Weather** and you?' });
    expect(await scene.answers(weather, 'hi', await server.bot(bob))).toEqual([]);
    expect(await scene.after(bob, '@**Weather** @**Slack** hi')).toHaveLength(2);
    expect(receiver.asked).toHaveLength(2);
  });

  it('is not sent after the bot was deactivated', async () => {
    const bot = await server.bot(ann, { name: 'Short', type: 3, payload_url: receiver.url });
    receiver.answer = () => 503;
    await idOf(sendDirect(bob, [bot.id]));
    await server.webhooksDelivered();
    granted(await ann.delete(`/bots/${bot.id}`));
    await scene.retried();
    expect(receiver.asked).toHaveLength(1);
    const { rowCount } = await server.kernel.database.pool.query('SELECT FROM bot_deliveries');
    expect(rowCount).toBe(0);
  });
});
