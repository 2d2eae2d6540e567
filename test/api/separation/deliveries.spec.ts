import { Redis } from 'ioredis';
import { WebhookReceiver } from '../../support/bots/webhook-receiver';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import { EngineProcess, describeWith } from '../../support/consumers/engine-process';
import { WebhookCaller } from '../../support/consumers/webhook-caller';
import { ReferenceBouncer } from '../../support/push/bouncer';
import { changesIn } from '../../support/separation/changes-in';
import { twinsOf } from '../../support/separation/history';
import { inBoth } from '../../support/separation/in-both';
import { quiet } from '../../support/separation/quiet';
import { recordStatements } from '../../support/separation/statements';
import type { Twin } from '../../support/separation/twin';
import { unboundStatements } from '../../support/separation/unbound';
import { SERVER_ENV } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

/** Credentials of the first twin. */
const CREDENTIALS = { lake: { servers: ['127.0.0.1:1'], password: 'a password of one engine', organizations: [2] } };

/** What leaves the server for programs, engines, phones and pages, and what its operator sees. */
const lines: string[] = [];
const statements = recordStatements();
let receiver: WebhookReceiver;
let bouncer: ReferenceBouncer;
let server: TestServer;
let ours: Twin;
let theirs: Twin;
beforeAll(async () => {
  [receiver, bouncer] = [await WebhookReceiver.start(), await ReferenceBouncer.start()];
  const own = { ANNALS_REALM_METRICS: 'on', ANNALS_SINK_CREDENTIALS: JSON.stringify(CREDENTIALS) };
  const env = { ...SERVER_ENV, ...WebhookReceiver.ENV, ...bouncer.env, ...own };
  server = await startTestServer({ env, log: { write: (line) => void lines.push(line) } });
  [ours, theirs] = await twinsOf(server);
});
afterAll(async () => {
  statements.end();
  await server.close();
  await bouncer.stop();
  receiver.stop();
});
beforeEach(() => {
  receiver.asked.length = 0;
  receiver.headers = {};
});

const both = () =>
  [
    [ours, theirs],
    [theirs, ours],
  ] as const;

const urlAt = (path: string) => new URL(path, JSON.parse(receiver.url) as string).href;
const askedOf = ({ word }: Twin) => receiver.asked.filter(({ path }) => path.includes(word));

/** The owner writes to the channel. @returns the id of the message */
async function said(twin: Twin, content: string): Promise<number> {
  const { ids, word } = twin;
  const { id } = await twin.did('owner', 'POST', '/messages', {
    type: 'channel',
    to: ids['channel'],
    topic: word,
    content,
  });
  return Number(id);
}

const NEWEST = { anchor: 'newest', num_before: 10, num_after: 0 };
const textsOf = async (twin: Twin) => JSON.stringify(await twin.did('owner', 'GET', '/messages', NEWEST));

describe('the program behind a bot', () => {
  it('is asked by its organization only, and its answer ends no delivery with the same ids', async () => {
    await inBoth([ours, theirs], async (twin) => {
      const bot = { full_name: `Outgoing ${twin.word}`, short_name: `out-${twin.word}`, bot_type: 3 };
      const payload_url = JSON.stringify(urlAt(`/bot/${twin.word}`));
      return Number((await twin.did('owner', 'POST', '/bots', { ...bot, payload_url }))['user_id']);
    });
    receiver.answer = () => 503;
    const asked: number[] = [];
    for (const twin of [ours, theirs]) {
      server.clock.advance(500);
      asked.push(await said(twin, `@**Outgoing ${twin.word}** what is new?`));
      await server.webhooksDelivered();
    }
    expect(asked[0]).toBe(asked[1]);
    receiver.answer = ({ path }) => ({ content: `the answer of ${path}` });
    const changed = await changesIn(theirs, async () => {
      // A second after their first attempt, deliveries are due again.
      server.clock.advance(500);
      await server.webhooksDelivered();
    });
    expect([changed, (await textsOf(ours)).includes('the answer of')]).toEqual([{}, true]);
    server.clock.advance(500);
    await server.webhooksDelivered();
    for (const [twin, other] of both()) {
      expect([askedOf(twin).length, other.isIn(JSON.stringify(askedOf(twin)))]).toEqual([2, false]);
      const texts = await textsOf(twin);
      expect([texts.includes(`the answer of /bot/${twin.word}`), other.isIn(texts)]).toEqual([true, false]);
    }
  });
});

describe('a page that a message links to', () => {
  it('is shown below the message of one organization', async () => {
    receiver.headers = { 'content-type': 'text/html; charset=utf-8' };
    receiver.answer = ({ path }) => `<head><title>The page at ${path}</title></head>`;
    for (const twin of [ours, theirs]) await twin.did('owner', 'PATCH', '/realm', { inline_url_embed_preview: true });
    const id = await inBoth([ours, theirs], (twin) => said(twin, urlAt(`/page/${twin.word}`)));
    await server.previewLinks();
    for (const [twin, other] of both()) {
      const text = JSON.stringify(await twin.did('owner', 'GET', `/messages/${id}`));
      expect([text.includes(`The page at /page/${twin.word}`), other.isIn(text)]).toEqual([true, false]);
    }
    const edited = async (twin: Twin) => {
      await twin.did('owner', 'PATCH', `/messages/${id}`, { content: urlAt(`/other/${twin.word}`) });
      await server.previewLinks();
    };
    expect(await changesIn(theirs, () => edited(ours))).toEqual({});
    await edited(theirs);
  });
});

describe('a phone that is in both organizations', () => {
  const written = async (twin: Twin) => {
    const message = { type: 'direct', to: [twin.ids['ann']], content: `on the phone ${twin.word}` };
    const { id } = await twin.did('owner', 'POST', '/messages', message);
    await quiet(server);
    return Number(id);
  };
  const received = () => bouncer.notified.calls.map(([{ text }]) => JSON.stringify(text));

  it('shows what one writes, and is removed from one only', async () => {
    const phone = bouncer.phone();
    const device_id = await inBoth([ours, theirs], async (twin) => {
      const { device_id: id } = await twin.did('ann', 'POST', '/register_client_device');
      await twin.did('ann', 'POST', '/mobile_push/register', { device_id: id, ...bouncer.registration(phone) });
      await quiet(server);
      return Number(id);
    });
    const message = await inBoth([ours, theirs], written);
    for (const [twin, other] of both())
      expect(
        received()
          .filter((text) => twin.isIn(text))
          .map((text) => other.isIn(text)),
      ).toEqual([false]);
    const changed = await changesIn(theirs, async () => {
      await ours.did('ann', 'POST', '/messages/flags', { messages: [message], op: 'add', flag: 'read' });
      await quiet(server);
      await ours.did('ann', 'POST', '/mobile_push/e2ee/test_notification');
      bouncer.expired.add(phone.token);
      await written(ours);
      bouncer.expired.delete(phone.token);
      await ours.did('ann', 'POST', '/remove_client_device', { device_id });
    });
    expect([changed, received().filter((text) => theirs.isIn(text)).length]).toEqual([{}, 1]);
    const before = received().length;
    await written(ours);
    await written(theirs);
    expect(
      received()
        .slice(before)
        .map((text) => theirs.isIn(text)),
    ).toEqual([true]);
  });
});

describe('the webhook of a consumer', () => {
  const hookOf = (twin: Twin) =>
    WebhookCaller.created(
      server,
      receiver,
      twin.caller('owner'),
      { name: 'feed' },
      { url: urlAt(`/feed/${twin.word}`) },
    );

  it('gets what its organization signed, and whatever becomes of it, another one waits for its own', async () => {
    const [hook, other] = [await hookOf(ours), await hookOf(theirs)];
    receiver.answer = ({ path }) => (theirs.isIn(path) ? 500 : `thanks from ${path}`);
    for (const twin of [ours, theirs]) await said(twin, `pushed ${twin.word}`);
    await server.eventsPushed();
    const changed = await changesIn(theirs, async () => {
      await said(ours, 'pushed later');
      await server.eventsPushed();
      await ours.did('owner', 'POST', `${hook.path}/test`);
      const deliveries = JSON.stringify(await hook.deliveries());
      expect([deliveries.includes(`thanks from /feed/${ours.word}`), theirs.isIn(deliveries)]).toEqual([true, false]);
      await ours.did('owner', 'POST', `${hook.path}/rotate`);
      await ours.did('owner', 'PATCH', '/feed/consumers/feed', { paused: true });
      await ours.did('owner', 'DELETE', '/feed/consumers/feed');
    });
    expect(changed).toEqual({});
    receiver.answer = () => 'thanks';
    await other.after(60_000);
    const [first] = askedOf(ours);
    expect(first && hook.verified(first).map(({ id }) => id.split('/')[0])).toEqual([String(ours.id)]);
    expect(() => first && other.verified(first)).toThrow();
    const theirIds = askedOf(theirs).flatMap((request) => other.verified(request).map(({ id }) => id.split('/')[0]));
    expect(theirIds).toEqual([String(theirs.id), String(theirs.id)]);
    for (const [twin, another] of both()) expect(another.isIn(JSON.stringify(askedOf(twin)))).toBe(false);
  });
});

describeWith('redis', 'the sink of a consumer', () => {
  let engine: EngineProcess;
  beforeAll(async () => void (engine = await EngineProcess.start('redis')));
  afterAll(() => engine.drop());
  const setSink = (twin: Twin, more: object) =>
    twin.ask('owner', 'PUT', '/api/v1/feed/consumers/lake/sink', { form: { kind: 'redis', stream: 'all', ...more } });
  const stored = async () => {
    const client = new Redis(engine.url, { disconnectTimeout: 50 });
    const entries = await client.xrange('all', '-', '+');
    client.disconnect();
    return entries.map(([, fields]) => fields.join());
  };

  it('has what its organization writes, also in a stream that both use', async () => {
    for (const twin of [ours, theirs]) {
      await ConsumerCaller.created(twin.caller('owner'), 'lake', { types: ['messages.MessageSent'] });
      expect((await setSink(twin, { url: engine.url })).status).toBe(200);
      await said(twin, `stored ${twin.word}`);
    }
    await server.eventsPushed();
    const changed = await changesIn(theirs, async () => {
      await said(ours, `stored again ${ours.word}`);
      await server.eventsPushed();
      await ours.did('owner', 'DELETE', '/feed/consumers/lake/sink');
    });
    expect(changed).toEqual({});
    const of = async ({ id }: Twin) => (await stored()).filter((entry) => entry.startsWith(`id,${id}/`));
    expect([(await of(ours)).length, (await of(theirs)).length]).toEqual([2, 1]);
    expect([theirs.isIn((await of(ours)).join()), ours.isIn((await of(theirs)).join())]).toEqual([false, false]);
  });

  it('has no credentials that are for another organization', async () => {
    const [address] = CREDENTIALS.lake.servers;
    const credentials = { url: `redis://${address}`, credentials: 'lake' };
    let status = 0;
    const changed = await changesIn(theirs, async () => void ({ status } = await setSink(theirs, credentials)));
    expect([status, changed]).toEqual([400, {}]);
    expect((await setSink(ours, credentials)).status).toBe(200);
    await ours.did('owner', 'DELETE', '/feed/consumers/lake');
  });
});

describe('what an operator sees', () => {
  const metrics = async () => {
    await quiet(server);
    return (await (await fetch(`${server.url}/metrics`)).text()).split('\n');
  };

  it('is asked for with the organization in every statement', async () => {
    expect(await unboundStatements(server.kernel.database.pool, statements.texts)).toEqual([]);
  });

  it('counts an organization by itself, and has no word of anybody', async () => {
    const figuresOf = async ({ id }: Twin) => (await metrics()).filter((line) => line.includes(`realm="${id}"`));
    const before = await figuresOf(theirs);
    const own = await figuresOf(ours);
    await said(ours, 'counted');
    expect(await figuresOf(theirs)).toEqual(before);
    expect([before.length > 10, await figuresOf(ours)]).toEqual([true, expect.not.arrayContaining(own)]);
    for (const { word } of [ours, theirs]) {
      expect((await metrics()).filter((line) => line.includes(word))).toEqual([]);
      expect(lines.filter((line) => line.includes(word))).toEqual([]);
    }
  });
});
