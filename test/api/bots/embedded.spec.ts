import type { ChannelId } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import type { Params } from '../../support/server/caller';
import { inChannel, read, texts } from '../../support/requests/notices';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import { startWithUsers } from '../../support/server/start-with-users';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let channel: ChannelId;
/** Runs the program helloworld. */
let hello: Person;
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
  hello = await server.bot(member, { name: 'Hello', type: 4, program: 'helloworld' });
});
afterAll(() => server.close());

const HELLO = 'beep boop';
const refused = (msg?: string) => ({ status: 400, body: { code: 'BAD_REQUEST', ...(msg && { msg }) } });
const create = (by: Person, request: object) => by.post('/bots', { full_name: 'Made', bot_type: 4, ...request });
/** What is said in a new topic after a message there. */
async function after(by: Person, content: string, place: Params = {}): Promise<string[]> {
  const topic = `topic ${server.next()}`;
  await idOf(send(by, { to: channel, topic, content, ...place }));
  await server.botsReacted();
  return texts(await inChannel(by, channel, topic)).slice(1);
}
/** What a bot answers to a direct message. */
async function answers(bot: Person, content: string, by = member): Promise<string[]> {
  const id = await idOf(sendDirect(by, [bot.id], { content }));
  await server.botsReacted();
  const narrow = [{ operator: 'dm', operand: [bot.id] }];
  return texts((await read(by, narrow)).filter((message) => message.id > id));
}
/** Adds the task to answer a message. */
const addTask = (messageId: number, bot: Person) =>
  server.kernel.database.pool.query(
    `INSERT INTO bot_tasks (realm_id, position, account_id, kind, at, attempts, due_at)
      VALUES (1, $1, $2, 'query', 0, 0, 0)`,
    [messageId, bot.id],
  );

describe('POST /bots with type 4', () => {
  const services = [{ service_name: 'converter', config_data: {} }];

  it('creates a bot with a program, which its owner and administrators see', async () => {
    const events = await owner.receive(
      () => create(member, { short_name: 'units', service_name: 'converter', config_data: {} }),
      'realm_bot',
    );
    expect(events).toMatchObject([{ op: 'add', bot: { services } }]);
    const { bots } = granted(await member.get<{ bots: { username: string }[] }>('/bots'));
    expect(bots.find(({ username }) => username.startsWith('units-'))).toMatchObject({ services });
    const { realm_bots } = await owner.register({ fetch_event_types: ['realm_bot'] });
    expect(realm_bots).toContainEqual(expect.objectContaining({ services }));
  });

  it('takes the short name for the program', async () => {
    granted(await create(member, { short_name: 'followup' }));
    expect(await create(member, { short_name: 'anything' })).toMatchObject(refused('Invalid embedded bot name.'));
  });

  it('refuses unknown programs, values that none has, and users who may not create bots', async () => {
    const refusals: [object, string?][] = [
      [{ service_name: 'encrypt' }, 'Invalid embedded bot name.'],
      [{ service_name: 'converter', config_data: { key: 'x' } }, 'Invalid configuration data!'],
      [{ service_name: 'converter', config_data: ['x'] }],
      [{ service_name: 'converter', config_data: { key: 1 } }],
    ];
    for (const [request, msg] of refusals)
      expect(await create(member, { short_name: 'x', ...request })).toMatchObject(refused(msg));
    const guest = await server.person({ role: 'guest' });
    expect(await create(guest, { short_name: 'x', service_name: 'converter' })).toMatchObject(refused());
  });

  it('offers the programs in POST /register', async () => {
    const { realm_embedded_bots: offered } = await other.register({ fetch_event_types: ['realm_embedded_bots'] });
    expect(offered).toEqual(
      ['converter', 'followup', 'helloworld', 'incrementor'].map((name) => ({ name, config: {} })),
    );
  });
});

describe('an embedded bot', () => {
  it('answers a message that begins with its mention, in the same topic', async () => {
    expect(await after(other, '@**Hello** are you there?')).toEqual([HELLO]);
    expect(await after(other, `@**Hello|${hello.id}**`)).toEqual([HELLO]);
  });

  it.each(['Who is @**Hello**?', '@_**Hello** hi', '`@**Hello**`', '@**all** hi', 'hi'])(
    'does not answer %j in a channel',
    async (content) => expect(await after(owner, content)).toEqual([]),
  );

  it('answers direct messages, to everybody in the conversation', async () => {
    expect(await answers(hello, 'hi')).toEqual([HELLO]);
    const group = [hello.id, other.id];
    await idOf(sendDirect(member, group));
    await server.botsReacted();
    const narrow = [{ operator: 'dm', operand: [hello.id, member.id] }];
    expect(texts(await read(other, narrow))).toEqual(['hello', HELLO]);
  });

  it('answers each message once, however often the task runs', async () => {
    const id = await idOf(sendDirect(other, [hello.id], { content: 'once' }));
    const { pool } = server.kernel.database;
    for (let n = 0; n < 3; n++) {
      await server.botsReacted();
      await addTask(id, hello);
    }
    await server.botsReacted();
    expect((await pool.query('SELECT FROM bot_tasks')).rowCount).toBe(0);
    const narrow = [{ operator: 'dm', operand: [hello.id] }];
    expect(texts((await read(other, narrow)).filter((message) => message.id >= id))).toEqual(['once', HELLO]);
  });

  it('does not answer bots, so that two of them do not talk for ever', async () => {
    const generic = await server.bot(other);
    expect(await answers(hello, 'hi', generic)).toEqual([]);
    const second = await server.bot(other, { name: 'Second', type: 4, program: 'helloworld' });
    await idOf(sendDirect(owner, [hello.id, second.id]));
    await server.botsReacted();
    const narrow = [{ operator: 'dm', operand: [hello.id, second.id] }];
    expect(texts(await read(owner, narrow))).toEqual(['hello', HELLO, HELLO]);
  });

  it('answers neither what was deleted before, nor after it was deactivated', async () => {
    // Messages of bots have no task, so nothing is answered before the task is added here.
    const generic = await server.bot(owner);
    const bot = await server.bot(member, { name: 'Short', type: 4, program: 'helloworld' });
    const asked = (topic: string, name: string) => idOf(send(generic, { to: channel, topic, content: `@**${name}**` }));
    const [answered, gone, short] = [
      await asked('answered', 'Hello'),
      await asked('gone', 'Hello'),
      await asked('short', 'Short'),
    ];
    granted(await owner.delete(`/messages/${gone}`));
    granted(await member.delete(`/bots/${bot.id}`));
    await addTask(answered, hello);
    await addTask(gone, hello);
    await addTask(short, bot);
    await server.botsReacted();
    expect(texts(await inChannel(owner, channel, 'answered'))).toContain(HELLO);
    for (const topic of ['gone', 'short']) expect(texts(await inChannel(owner, channel, topic))).not.toContain(HELLO);
  });

  it('is silent where it may not post', async () => {
    const quiet = await server.channel(owner, { subscribers: [owner, member] });
    const only = { new: { direct_members: [owner.id], direct_subgroups: [] } };
    granted(await owner.patch(`/streams/${quiet}`, { can_send_message_group: only }));
    await idOf(send(owner, { to: quiet, topic: 'hi', content: '@**Hello**' }));
    await server.botsReacted();
    expect(texts(await inChannel(owner, quiet))).toEqual(['@**Hello**']);
  });
});

describe('the programs', () => {
  it('converter converts units', async () => {
    const bot = await server.bot(member, { name: 'Units', type: 4, program: 'converter' });
    expect(await answers(bot, '12 celsius fahrenheit')).toEqual(['12 celsius = 53.6 fahrenheit']);
    expect(await after(other, '@**Units** 1 mi km')).toEqual(['1 mi = 1.609344 km']);
    expect(await answers(bot, 'help')).toEqual([expect.stringContaining('nautical-mile (nmi)')]);
  });

  it('followup posts the text of the message in its channel, and says so if it cannot', async () => {
    const bot = await server.bot(member, { name: 'Later', type: 4, program: 'followup' });
    const [failure] = await answers(bot, 'buy tea');
    expect(failure).toContain('I could not post this in the channel `followup`: ');
    const followup = await server.channel(owner, { name: 'followup', subscribers: [owner, member, bot] });
    expect(await after(other, '@**Later** buy tea')).toEqual([]);
    expect(await answers(bot, '@**Later|')).toEqual([]);
    const posted = await inChannel(owner, followup);
    expect(posted.map(({ subject, content }) => [subject, content])).toEqual([
      [other.email, `from ${other.email}: buy tea`],
      [member.email, `from ${member.email}: @**Later|`],
    ]);
    expect(await answers(bot, `@**Later**`)).toEqual([expect.stringContaining('`followup`')]);
  });

  it('followup names nobody by an email that is hidden from some readers of the channel', async () => {
    const bot = await server.bot(member, { name: 'Discreet', type: 4, program: 'followup' });
    const { streams } = granted(await owner.get<{ streams: { name: string; stream_id: ChannelId }[] }>('/streams'));
    const followup = streams.find(({ name }) => name === 'followup')?.stream_id as ChannelId;
    const shy = await server.person();
    granted(await shy.patch('/settings', { email_address_visibility: 2 }));
    await answers(bot, 'buy milk', shy);
    const [posted] = (await inChannel(owner, followup)).slice(-1);
    expect(posted?.content).toMatch(new RegExp(`^from user${shy.id}@.+: buy milk$`));
    expect(posted?.subject).not.toContain(shy.email);
  });

  describe('incrementor', () => {
    let bot: Person;
    beforeAll(async () => (bot = await server.bot(member, { name: 'Count', type: 4, program: 'incrementor' })));
    const storage = async () => granted(await bot.get<{ storage: Record<string, string> }>('/bot_storage')).storage;
    const shown = async (id: string) =>
      granted(await member.get<{ message: { content: string } }>(`/messages/${id}`, { apply_markdown: false })).message
        .content;

    it('counts in one message, and keeps the number in its storage', async () => {
      expect(await answers(bot, 'go')).toEqual(['1']);
      const { message_id = '' } = await storage();
      expect(await answers(bot, 'go')).toEqual([]);
      expect(await after(other, '@**Count** go')).toEqual([]);
      expect(await shown(message_id)).toBe('3');
      expect(await storage()).toMatchObject({ number: '3', message_id });
    });

    it('counts a message once, also if the storage was not written after the answer', async () => {
      const before = await storage();
      const id = await idOf(sendDirect(member, [bot.id]));
      await server.botsReacted();
      await addTask(id, bot);
      await server.botsReacted();
      const counted = await storage();
      expect(counted).toMatchObject({ number: '4', message_id: before['message_id'] });
      granted(await bot.put('/bot_storage', { storage: before }));
      await addTask(id, bot);
      await server.botsReacted();
      expect(await storage()).toEqual(counted);
      expect(await shown(counted['message_id'] ?? '')).toBe('4');
    });

    it('sends another message where the first one cannot be edited any more', async () => {
      const { message_id } = await storage();
      granted(await bot.delete(`/messages/${message_id}`));
      expect(await answers(bot, 'go')).toEqual(['5']);
      server.clock.advance(3_600_000);
      expect(await answers(bot, 'go')).toEqual(['6']);
      expect((await storage())['message_id']).not.toBe(message_id);
    });
  });
});
