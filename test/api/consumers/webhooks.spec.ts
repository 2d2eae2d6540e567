import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import { WebhookReceiver } from '../../support/bots/webhook-receiver';
import { WebhookCaller, sentIds } from '../../support/consumers/webhook-caller';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { until } from '../../support/push/push';
import { read, texts } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
let owner: Person;
let receiver: WebhookReceiver;
let room: number;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  users = await startWithUsers({ env: WebhookReceiver.ENV });
  ({ owner } = users);
  room = await users.server.channel(owner, { name: 'room', subscribers: [owner] });
  await send('first');
});
afterAll(async () => {
  await users.server.close();
  receiver.stop();
});
beforeEach(() => {
  receiver.asked.length = 0;
  receiver.answer = () => 'thanks';
  receiver.headers = {};
});
afterEach(async () => {
  const { consumers } = granted(await owner.get<{ consumers: { name: string }[] }>('/feed/consumers'));
  for (const { name } of consumers) granted(await owner.delete(`/feed/consumers/${name}`));
});

async function send(content: string): Promise<string> {
  const message = { type: 'channel', to: 'room', topic: 'a', content };
  return `1/${granted(await owner.post<{ id: number }>('/messages', message)).id}`;
}
/** Of the messages in the room. */
const hook = (wanted: Params = {}, webhook: Params = {}) => {
  const all = { name: 'hook', subjects: [`channel:${room}`], ...wanted };
  return WebhookCaller.created(users.server, receiver, owner, all, webhook);
};
const notices = async (by = owner) => texts(await read(by, [{ operator: 'is', operand: 'dm' }]));
const BAD = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };

describe('a webhook', () => {
  it('gets each event as a signed request, in order, and acknowledges it', async () => {
    const it = await hook();
    const sent = [await send('one'), await send('two')];
    await users.server.eventsPushed();
    expect(receiver.asked.flatMap((request) => it.verified(request)).map(({ id }) => id)).toEqual(sent);
    const [request] = receiver.asked;
    expect(request?.headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': expect.stringMatching(/^msg_/) as unknown,
    });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      specversion: '1.0',
      type: expect.stringMatching(/^annals\.messages\.MessageSent\.v\d+$/) as unknown,
    });
    const { position, head, delivery } = (await it.consumer.shown()) as Record<string, number>;
    expect({ position, delivery }).toEqual({ position: head, delivery: 'webhook' });
    expect(await it.deliveries()).toEqual([
      expect.objectContaining({ attempt: 1, status: 200, answer: 'thanks' }),
      expect.objectContaining({ id: request?.headers['webhook-id'] }),
    ]);
  });

  it('gets up to 100 events in a request, if it wants them', async () => {
    const it = await hook({ from: 'beginning', types: undefined, subjects: undefined }, { batch: true });
    await users.server.eventsPushed();
    const { head } = (await it.consumer.shown()) as { head: number };
    const ids = receiver.asked.map((request) => it.verified(request).map(({ id }) => id));
    expect(ids.flat()).toEqual(Array.from({ length: head }, (_, n) => `1/${n + 1}`));
    expect(ids.every((batch) => batch.length <= 100)).toBe(true);
    expect(ids[0]).toHaveLength(Math.min(head, 100));
    expect(receiver.asked[0]?.headers['content-type']).toBe('application/cloudevents-batch+json; charset=utf-8');
  });

  it('gets client events of its owner', async () => {
    const it = await hook({ view: 'client', types: ['message'] });
    const id = await send('for me');
    await users.server.eventsPushed();
    expect(sentIds(receiver.asked)).toEqual([`${id}.0`]);
    expect(receiver.asked[0]?.body).toContain('for me');
    expect(it.verified(receiver.asked[0] as never)).toHaveLength(1);
  });

  it('gets what workers were offered and did not acknowledge, and cannot be pulled', async () => {
    const it = await hook();
    granted(await owner.delete(it.path));
    const sent = [await send('one'), await send('two')];
    expect(await it.consumer.ids()).toEqual(sent);
    granted(await it.consumer.ack({ ids: [sent[0]] }));
    await it.set();
    await users.server.eventsPushed();
    expect(sentIds(receiver.asked)).toEqual([sent[1]]);
    expect(await it.consumer.ask()).toMatchObject(BAD);
    expect(await it.consumer.ack({ ids: sent })).toMatchObject(BAD);
    expect(await it.consumer.nack(sent[1] ?? '', 'skip')).toMatchObject(BAD);
    granted(await owner.delete(it.path));
    expect(await it.consumer.ids()).toEqual([]);
    expect(await it.consumer.shown()).toMatchObject({ delivery: 'pull' });
  });

  it('does not get what workers acknowledged while there was none, although it was sent before', async () => {
    receiver.answer = () => 500;
    const it = await hook();
    const sent = await send('in vain');
    await users.server.eventsPushed();
    granted(await owner.delete(it.path));
    expect(await it.consumer.ids()).toEqual([sent]);
    granted(await it.consumer.ack({ ids: [sent] }));
    receiver.answer = () => 'thanks';
    await it.set();
    const next = await send('next');
    await users.server.eventsPushed();
    expect(sentIds(receiver.asked)).toEqual([sent, next]);
  });

  it('gets everything again after a rewinding, with the same ids', async () => {
    const it = await hook();
    const sent = await send('once');
    await users.server.eventsPushed();
    granted(await it.consumer.rewind(`p${Number(sent.slice(2)) - 1}`));
    await users.server.eventsPushed();
    expect(sentIds(receiver.asked)).toEqual([sent, sent]);
    const [first, second] = receiver.asked.map(({ headers }) => headers['webhook-id']);
    expect(first).not.toBe(second);
  });

  it('gets nothing while its consumer is paused', async () => {
    const it = await hook();
    granted(await it.consumer.change({ paused: true }));
    const sent = await send('later');
    await users.server.eventsPushed();
    expect(receiver.asked).toEqual([]);
    granted(await it.consumer.change({ paused: false }));
    await users.server.eventsPushed();
    expect(sentIds(receiver.asked)).toEqual([sent]);
  });

  it('is tried out with an event that is none of the log, also while it is paused', async () => {
    const it = await hook({}, { batch: true });
    granted(await it.consumer.change({ paused: true }));
    receiver.answer = () => 'x'.repeat(600);
    const { delivery } = granted(await owner.post<{ delivery: { id: string } }>(`${it.path}/test`));
    expect(delivery).toMatchObject({ status: 200, attempt: 1, answer: 'x'.repeat(500) });
    expect(it.verified(receiver.asked[0] as never)).toMatchObject([{ type: 'annals.webhook.Test' }]);
    expect(await it.deliveries()).toEqual([delivery]);
  });
});

describe('a receiver that does not acknowledge', () => {
  it('gets the same request again after 5 s, 30 s, 2 min, 10 min, 1 h and then hourly', async () => {
    receiver.answer = () => 500;
    const it = await hook();
    await send('again');
    await users.server.eventsPushed();
    for (const wait of [5_000, 30_000, 120_000, 600_000, HOUR_MS, HOUR_MS, HOUR_MS]) {
      const before = receiver.asked.length;
      await it.after(wait - 1);
      expect(receiver.asked).toHaveLength(before);
      await it.after(1);
      expect(receiver.asked).toHaveLength(before + 1);
    }
    expect(new Set(receiver.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.asked.map(({ body }) => body)).size).toBe(1);
    expect(await it.consumer.shown()).toMatchObject({ state: 'failing' });
    expect((await it.deliveries())[0]).toMatchObject({ attempt: 8, status: 500, answer: 'no' });
  });

  it('gets everything in order and once after a week', async () => {
    let isDown = true;
    receiver.answer = () => (isDown ? 503 : 'thanks');
    const it = await hook({}, { batch: true });
    const sent: string[] = [];
    for (let day = 0; day < 7; day += 1) {
      sent.push(await send(`day ${day}`));
      await it.after(DAY_MS);
    }
    const failed = receiver.asked.length;
    isDown = false;
    await it.after(HOUR_MS);
    expect(sentIds(receiver.asked.slice(failed))).toEqual(sent);
    expect(await it.consumer.shown()).toMatchObject({ state: 'active', lag: { events: 0, seconds: 0 } });
  });

  it('may say when it wants the next request', async () => {
    receiver.answer = () => 429;
    receiver.headers = { 'retry-after': '90' };
    const it = await hook();
    await send('slowly');
    await users.server.eventsPushed();
    await it.after(89_999);
    expect(receiver.asked).toHaveLength(1);
    await it.after(1);
    expect(receiver.asked).toHaveLength(2);
  });

  it('pauses its consumer by the status 410, and its owner learns it', async () => {
    receiver.answer = () => 410;
    const it = await hook();
    const sent = await send('gone');
    await users.server.eventsPushed();
    await it.after(DAY_MS);
    expect(receiver.asked).toHaveLength(1);
    expect(await it.consumer.shown()).toMatchObject({ state: 'paused' });
    expect((await notices()).at(-1)).toMatch(/your consumer `hook` answered that it is gone/);
    receiver.answer = () => 'thanks';
    granted(await it.consumer.change({ paused: false }));
    await users.server.eventsPushed();
    expect(sentIds(receiver.asked)).toEqual([sent, sent]);
  });

  it.each([
    ['redirects', (): number => 302, 302],
    ['closes the connection', (): Promise<string> => Promise.reject(new Error('closed')), null],
  ] as const)('is asked again when it %s', async (_, answer, status) => {
    receiver.answer = answer;
    receiver.headers = { location: '/elsewhere' };
    const it = await hook();
    await send('moved');
    await users.server.eventsPushed();
    expect(receiver.asked.map(({ path }) => path)).toEqual(['/hook']);
    expect(await it.deliveries()).toMatchObject([{ status }]);
    receiver.answer = () => 204;
    await it.after(5_000);
    expect(await it.deliveries()).toMatchObject([{ status: 204, attempt: 2 }, {}]);
  });

  it('is reported to the owner after an hour and after a day, once each', async () => {
    receiver.answer = () => 500;
    const it = await hook();
    const before = (await notices()).length;
    await send('unheard');
    await users.server.eventsPushed();
    await it.after(HOUR_MS - 1);
    expect(await notices()).toHaveLength(before);
    for (const ms of [1, HOUR_MS, 10 * HOUR_MS]) await it.after(ms);
    expect((await notices()).slice(before)).toEqual([expect.stringMatching(/`hook` .* more than an hour/)]);
    await it.after(DAY_MS);
    await it.after(DAY_MS);
    expect((await notices()).slice(before + 1)).toEqual([expect.stringMatching(/more than 24 hours/)]);
    const scraped = await (await fetch(`${users.server.url}/metrics`)).text();
    expect(scraped).toMatch(/^annals_consumers_failing 1$/m);
  });

  it('is asked at once when the webhook is set again', async () => {
    receiver.answer = () => 500;
    const it = await hook();
    const sent = await send('to another place');
    await users.server.eventsPushed();
    receiver.answer = () => 'thanks';
    await it.set({ url: receiver.url.replace('/hook', '/other') });
    await users.server.eventsPushed();
    expect(receiver.asked.map(({ path }) => path)).toEqual(['/hook', '/other']);
    expect(sentIds(receiver.asked)).toEqual([sent, sent]);
    expect(await it.consumer.shown()).toMatchObject({ state: 'active' });
  });

  it('does not hold up another consumer', async () => {
    let release: () => void = () => undefined;
    const slow = new Promise<string>((resolve) => (release = () => resolve('at last')));
    receiver.answer = ({ path }): string | Promise<string> => (path === '/hook' ? slow : 'thanks');
    await hook();
    const other = await hook({ name: 'other' }, { url: receiver.url.replace('/hook', '/other') });
    const sent = [await send('one'), await send('two')];
    const pushed = users.server.eventsPushed();
    await until(() => receiver.asked.filter(({ path }) => path === '/other').length === 2);
    release();
    await pushed;
    expect(sentIds(receiver.asked.filter(({ path }) => path === '/other'))).toEqual(sent);
    expect(other.secret).toMatch(/^whsec_/);
  });
});
