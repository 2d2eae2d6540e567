import { granted } from '../../support/server/caller';
import type { WebhookReceiver } from '../../support/bots/webhook-receiver';
import { WebhookScene } from '../../support/bots/webhook-scene';
import { inChannel, texts } from '../../support/requests/notices';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let scene: WebhookScene;
let receiver: WebhookReceiver;
let server: TestServer;
let owner: Person;
let ann: Person;
let bob: Person;
let weather: Person;
beforeAll(async () => {
  scene = await WebhookScene.start();
  ({ receiver, server, ann, bob, weather } = scene);
  owner = server.owner;
});
afterAll(() => scene.close());
beforeEach(() => scene.reset());

describe('an answer', () => {
  it.each<[string, unknown]>([
    ['nothing', ''],
    ['an empty object', {}],
    ['that none is needed', { response_not_required: true, content: 'x' }],
    ['a blank text', { content: ' ' }],
  ])('may be %s', async (_, reply) => {
    receiver.answer = () => reply as object;
    expect(await scene.told(async () => expect(await scene.answers(weather, 'hi')).toEqual([]))).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['HTML', '<html>no</html>', 'Invalid JSON in response'],
    ['a list', [1], 'Invalid response format'],
    ['an object as text', { content: { a: 1 } }, 'Invalid response format'],
    ['a text that cannot be stored', '{"content": "a\\u0000b"}', 'Invalid response format'],
    ['half a character', '{"content": "\\ud800"}', 'Invalid response format'],
    ['a huge text', `{"content": "${'x'.repeat(200_000)}"}`, 'The response is too long'],
  ])('that is %s is a failure, of which people and the owner learn', async (_, reply, reason) => {
    receiver.answer = () => reply as object;
    const [report, ...more] = await scene.told(async () =>
      expect(await scene.answers(weather, 'hi')).toEqual([`Failure! ${reason}`]),
    );
    expect(report).toMatch(/^\[A message\]\(\/#narrow\/dm\/[\d,]+\/near\/\d+\) to your bot @_\*\*Weather\|\d+\*\*/);
    expect(report).toContain(`could not become a message: ${reason}\nThe response contains the following payload:`);
    expect(more).toEqual([]);
  });

  it('is cut like other messages that are too long', async () => {
    receiver.answer = () => ({ content: 'é'.repeat(20_000) });
    const [reply] = await scene.answers(weather, 'hi');
    expect(reply).toHaveLength(10_000);
    expect(reply).toContain('[message truncated]');
  });

  it('that the bot may not send is a failure', async () => {
    const quiet = await server.channel(owner, { name: 'quiet', subscribers: [owner, bob] });
    const only = { new: { direct_members: [owner.id], direct_subgroups: [] } };
    granted(await owner.patch(`/streams/${quiet}`, { can_send_message_group: only }));
    receiver.answer = () => ({ content: 'Sunny' });
    const reports = await scene.told(async () => {
      await idOf(send(owner, { to: quiet, topic: 'sky', content: '@**Weather** hi' }));
      await server.webhooksDelivered();
    });
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain(`[A message](/#narrow/channel/${quiet}-quiet/topic/sky/near/`);
    expect(texts(await inChannel(owner, quiet))).toEqual(['@**Weather** hi']);
  });

  it('is sent once, however often the delivery runs', async () => {
    receiver.answer = () => ({ content: 'Once' });
    const id = await idOf(sendDirect(bob, [weather.id]));
    for (let n = 0; n < 2; n++) {
      await server.webhooksDelivered();
      await server.kernel.database.pool.query(
        `INSERT INTO bot_deliveries (realm_id, bot_id, position, at, attempts, due_at) VALUES (1, $1, $2, 0, 0, 0)`,
        [weather.id, id],
      );
    }
    await server.webhooksDelivered();
    expect(await scene.repliesTo(weather, id)).toEqual(['Once']);
    expect(receiver.asked).toHaveLength(1);
  });
});

describe('a program that fails', () => {
  it('gets a message again, and its answer is sent once', async () => {
    let left = 2;
    receiver.answer = () => (left-- > 0 ? 503 : { content: 'Back' });
    const id = await idOf(sendDirect(bob, [weather.id]));
    const second = await idOf(sendDirect(bob, [weather.id], { content: 'and then?' }));
    await server.webhooksDelivered();
    expect(receiver.asked).toHaveLength(1);
    await scene.retried();
    expect(await scene.repliesTo(weather, id)).toEqual(['and then?']);
    // In order: the later message waits for the earlier one.
    await scene.retried();
    expect(receiver.asked.map(({ body }) => (JSON.parse(body) as { message: { id: number } }).message.id)).toEqual([
      ...[id, id, id],
      second,
    ]);
    expect(await scene.repliesTo(weather, id)).toEqual(['and then?', 'Back', 'Back']);
  });

  it('for good is reported once to those who asked and to the owner', async () => {
    receiver.answer = () => 500;
    const reports = await scene.told(async () => {
      const id = await idOf(sendDirect(bob, [weather.id]));
      await server.webhooksDelivered();
      for (let n = 0; n < 6; n++) await scene.retried();
      expect(await scene.repliesTo(weather, id)).toEqual(['Failure! Third party responded with 500']);
    });
    expect(receiver.asked).toHaveLength(4);
    expect(reports).toEqual([expect.stringContaining('The webhook got a response with status code *500*.\n')]);
    expect(reports[0]).toContain('```\nno\n```');
  });

  it('with a status that promises nothing is not asked again', async () => {
    receiver.answer = () => 404;
    expect(await scene.after(bob, '@**Weather** hi')).toEqual(['Failure! Third party responded with 404']);
    await scene.retried();
    expect(receiver.asked).toHaveLength(1);
  });

  it('without a connection is asked again, and is unavailable then', async () => {
    receiver.answer = () => Promise.reject(new Error('ends the connection'));
    const reports = await scene.told(async () => {
      const id = await idOf(sendDirect(bob, [weather.id]));
      await server.webhooksDelivered();
      for (let n = 0; n < 4; n++) await scene.retried();
      expect(await scene.repliesTo(weather, id)).toEqual(['Failure! Bot is unavailable']);
    });
    expect(reports).toEqual([expect.stringContaining('A connection error occurred.')]);
  });

  it('at an address that is not public, or without a URL, is not asked', async () => {
    const inside = await server.bot(ann, { name: 'Inside', type: 3, payload_url: '"http://10.1.2.3/"' });
    const nowhere = await server.bot(ann, { name: 'Nowhere', type: 3 });
    for (const [bot, reason] of [
      [inside, 'private or disallowed network'],
      [nowhere, 'has no URL'],
    ] as const) {
      const reports = await scene.told(
        async () => expect(await scene.answers(bot, 'hi')).toEqual(['Failure! Bot is unavailable']),
        bot,
      );
      expect(reports).toEqual([expect.stringContaining(reason)]);
    }
  });

  it('does not hold up others', async () => {
    const slow = await server.bot(ann, { name: 'Slow', type: 3, payload_url: receiver.url });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const answered = new Promise<void>((resolve) => {
      receiver.answer = async ({ body }) => {
        if (body.includes('"bot_full_name":"Slow"')) await released;
        else resolve();
        return { content: 'Here' };
      };
    });
    const first = await idOf(sendDirect(bob, [slow.id]));
    await idOf(sendDirect(bob, [weather.id]));
    const delivered = server.webhooksDelivered();
    await answered;
    expect(await scene.repliesTo(slow, first)).toEqual([]);
    release();
    await delivered;
    expect(await scene.repliesTo(slow, first)).toEqual(['Here']);
  });
});
