import { DAY_MS } from '@annals/kernel/domain';
import { WebhookReceiver } from '../../support/bots/webhook-receiver';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import { WebhookCaller, sentIds } from '../../support/consumers/webhook-caller';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { read, texts } from '../../support/requests/notices';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  users = await startWithUsers({ env: WebhookReceiver.ENV });
});
afterAll(async () => {
  await users.server.close();
  receiver.stop();
});
beforeEach(() => {
  receiver.asked.length = 0;
  receiver.answer = () => 'thanks';
});

afterEach(async () => {
  const { consumers: all } = granted(await users.owner.get<{ consumers: { name: string }[] }>('/feed/consumers'));
  for (const { name } of all) granted(await users.owner.delete(`/feed/consumers/${name}`));
});

let consumers = 0;
const named = () => ({ name: `hook-${(consumers += 1)}` });
const hook = (owner: Person, wanted: Params = {}) =>
  WebhookCaller.created(users.server, receiver, owner, { ...named(), ...wanted });
const ofMia = () => hook(users.member, { view: 'client', types: ['message'] });
/** A message to Mia. @returns its text */
async function write(content: string, to = users.member): Promise<string> {
  granted(await users.other.post('/messages', { type: 'direct', to: [to.id], content }));
  return content;
}
const pushed = async () => {
  await users.server.eventsPushed();
  return receiver.asked.length;
};
const BAD = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const BAD_URL = { status: 400, body: { result: 'error', code: 'BAD_WEBHOOK_URL' } };
const MISSING = { status: 404, body: { code: 'NO_SUCH_CONSUMER' } };
const FORBIDDEN = { status: 403, body: { code: 'BAD_REQUEST' } };
const bytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;

describe('a webhook', () => {
  it.each([
    ['no URL', 'nothing'],
    ['a scheme of no web server', 'ftp://127.0.0.1/'],
    ['a login', 'https://ann:pw@example.com/'],
    ['a space', 'https://example.com/a b'],
    ['too long a URL', `https://example.com/${'x'.repeat(2_083)}`],
    ['a private address', 'https://10.1.2.3/'],
    ['an address of this machine that is not allowed', 'http://[::1]:9/'],
    ['the service for the metadata of a cloud', 'http://169.254.169.254/latest'],
    ['a public address without TLS', 'http://1.1.1.1/'],
  ])('may not have %s', async (_, url) => {
    const { name } = named();
    await ConsumerCaller.created(users.member, name, { view: 'client' });
    expect(await users.member.put(`/feed/consumers/${name}/webhook`, { url })).toMatchObject(BAD_URL);
  });

  it.each([
    ['without a prefix', Buffer.alloc(32).toString('base64')],
    ['of too few bytes', bytes(23)],
    ['of too many bytes', bytes(65)],
    ['that is no base64', `whsec_${'*'.repeat(44)}`],
    ['that is empty', 'whsec_'],
  ])('may not have a secret %s', async (_, secret) => {
    const it = await ofMia();
    expect(await users.member.put(it.path, { url: receiver.url, secret })).toMatchObject(BAD);
    expect(await it.rotate({ secret })).toMatchObject(BAD);
  });

  it('has the secret that it was given, or a new one, until another is asked for', async () => {
    const it = await ofMia();
    const { secret } = it;
    await it.set({ batch: true });
    expect(it.secret).toBe(secret);
    for (const other of [bytes(24), bytes(64)]) {
      await it.set({ secret: other });
      expect(it.secret).toBe(other);
    }
    await write('signed');
    expect(await pushed()).toBe(1);
    expect(it.verified(receiver.asked[0] as never)).toHaveLength(1);
  });

  it('signs with both secrets for a day after a rotation', async () => {
    const it = await ofMia();
    const before = it.secret;
    const { secret } = granted(await it.rotate());
    expect(await it.rotate({ secret })).toMatchObject(BAD);
    await write('while both are used');
    await pushed();
    const [both] = receiver.asked;
    for (const one of [before, secret]) expect(it.verified(both as never, one)).toHaveLength(1);
    users.server.clock.advance(DAY_MS);
    await write('a day later');
    await pushed();
    const later = receiver.asked[1];
    expect(it.verified(later as never, secret)).toHaveLength(1);
    expect(() => it.verified(later as never, before)).toThrow('No matching signature');
  });

  it('is needed to change it', async () => {
    const { name } = named();
    const it = await ConsumerCaller.created(users.member, name, { view: 'client' });
    const path = `/feed/consumers/${name}/webhook`;
    expect(await users.member.delete(path)).toMatchObject(BAD);
    expect(await users.member.post(`${path}/rotate`)).toMatchObject(BAD);
    expect(await users.member.post(`${path}/test`)).toMatchObject(BAD);
    expect(granted(await users.member.get(`${path}/deliveries`))).toMatchObject({ deliveries: [] });
    expect(await it.shown()).toMatchObject({ delivery: 'pull' });
  });
});

describe('the right to a webhook', () => {
  it('is that of the owner of the consumer, because events are for the owner', async () => {
    const it = await ofMia();
    const attempts = (by: Person) => [
      by.put(it.path, { url: receiver.url }),
      it.rotate({}, by),
      by.post(`${it.path}/test`),
      by.get(`${it.path}/deliveries`),
    ];
    for (const attempt of attempts(users.owner)) expect(await attempt).toMatchObject(FORBIDDEN);
    for (const attempt of [...attempts(users.other), users.other.delete(it.path)])
      expect(await attempt).toMatchObject(MISSING);
    granted(await users.owner.delete(it.path));
    expect(await it.consumer.shown()).toMatchObject({ delivery: 'pull' });
  });

  it('ends and begins again with the right to read the log', async () => {
    const grant = (group: string) => users.owner.patch('/realm', { can_audit_group: { new: users.groups[group] } });
    granted(await grant('administrators'));
    const it = await hook(users.administrator, { subjects: [`user:${users.guest.id}`], types: ['users.*'] });
    const rename = async (full_name: string) => granted(await users.guest.patch('/settings', { full_name }));
    granted(await grant('owners'));
    await rename('Gustav');
    expect(await pushed()).toBe(0);
    expect(await it.consumer.shown()).toMatchObject({ state: 'refused' });
    expect(await users.administrator.put(it.path, { url: receiver.url })).toMatchObject({ status: 403 });
    granted(await grant('administrators'));
    expect(await pushed()).toBe(1);
    expect(sentIds(receiver.asked)).toHaveLength(1);
  });
});

describe('the webhook of a bot', () => {
  it('is reported to the owner of the bot', async () => {
    const bot = await users.server.bot(users.member, { name: 'Indexer' });
    receiver.answer = () => 410;
    const it = await hook(bot, { view: 'client', types: ['message'] });
    await write('for the bot', bot);
    await pushed();
    expect(await it.consumer.shown()).toMatchObject({ state: 'paused' });
    const told = texts(await read(users.member, [{ operator: 'is', operand: 'dm' }])).at(-1);
    expect(told).toMatch(/`hook-\d+` of your bot @_\*\*Indexer\|\d+\*\* answered that it is gone/);
  });
});
