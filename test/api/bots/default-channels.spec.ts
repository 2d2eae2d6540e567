import type { Params } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let administrator: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person();
  administrator = await server.person({ role: 'administrator' });
});
afterAll(() => server.close());

interface Defaults {
  readonly default_sending_stream: string | null;
  readonly default_events_register_stream: string | null;
  readonly default_all_public_streams: boolean;
}
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const create = (by: Person, input: Params) => by.post<Defaults>('/bots', { full_name: 'Reminder', ...input });

describe('default channels of a bot', () => {
  const NONE = {
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
  };
  const listed = async (by: Person, bot: Pick<Person, 'id'>) => {
    const { body } = await by.get<{ bots: ({ user_id: number } & Defaults)[] }>('/bots');
    return body.bots.find(({ user_id }) => user_id === bot.id);
  };
  const inSnapshot = async (by: Person, bot: Pick<Person, 'id'>) => {
    const { realm_bots } = await by.register({ fetch_event_types: ['realm_bot'] });
    return (realm_bots as ({ user_id: number } & Defaults)[]).find(({ user_id }) => user_id === bot.id);
  };

  it('are chosen at creation, sent once, and matched in any letter case', async () => {
    await server.channel(member, { name: 'Alarms' });
    const request = {
      default_sending_stream: 'alarms',
      default_events_register_stream: 'ALARMS',
      default_all_public_streams: true,
    };
    const chosen = { ...request, default_sending_stream: 'Alarms', default_events_register_stream: 'Alarms' };
    const events = await member.receive(async () => {
      expect((await create(member, { short_name: 'alarmed', ...request })).body).toMatchObject(chosen);
    }, 'realm_bot');
    expect(events).toMatchObject([{ op: 'add', bot: chosen }]);
    expect(events).toHaveLength(1);
  });

  it('are changed by its administrators, with an event for each change only', async () => {
    const [alarms, bot] = [await server.namedChannel(member), await server.bot(member)];
    const queues = await Promise.all(
      [member, administrator, await server.person(), bot].map(async (who) => ({
        who,
        queue: await who.register({ event_types: ['realm_bot'] }),
      })),
    );
    const change = (by: Person, request: object) => by.patch<Defaults>(`/bots/${bot.id}`, { ...request });
    const both = { default_sending_stream: alarms.name, default_all_public_streams: true };
    expect((await change(member, both)).body).toMatchObject({ ...NONE, ...both });
    expect((await change(administrator, { ...both, default_events_register_stream: '' })).status).toBe(200);
    expect(await listed(member, bot)).toMatchObject({ ...NONE, ...both });
    await owner.patch(`/streams/${alarms.id}`, { new_name: `${alarms.name} renamed` });
    expect(await inSnapshot(administrator, bot)).toMatchObject({ default_sending_stream: `${alarms.name} renamed` });
    expect((await change(member, { default_sending_stream: '' })).body).toMatchObject({
      ...NONE,
      default_all_public_streams: true,
    });
    const about = (change: object) => ({ op: 'update', bot: { user_id: bot.id, ...change } });
    for (const { who, queue } of queues) {
      const events = (await who.events(queue)).map(({ op, bot }) => ({ op, bot }));
      // An event names the channel as it is called at delivery.
      const here = { default_sending_stream: null };
      const received = [about(here), about({ default_all_public_streams: true }), about(here), about(here)];
      expect(events).toEqual(who === member || who === administrator ? received : []);
    }
    for (const by of [bot, await server.person()]) {
      expect(await change(by, { default_all_public_streams: false })).toMatchObject(refused('BAD_REQUEST'));
    }
  });

  it('refuse channels that the actor may not see', async () => {
    const bot = await server.bot(member);
    const secret = await server.namedChannel(owner, { invite_only: true });
    const archived = await server.namedChannel(member);
    await owner.delete(`/streams/${archived.id}`);
    for (const name of ['nowhere', secret.name, archived.name, 'x'.repeat(1_000), ' ']) {
      for (const property of ['default_sending_stream', 'default_events_register_stream']) {
        const msg = `Invalid channel name '${name}'`;
        const request = { full_name: 'Changed', [property]: name };
        expect(await member.patch(`/bots/${bot.id}`, request)).toMatchObject({ status: 400, body: { msg } });
        expect(await create(member, { short_name: 'denied', ...request })).toMatchObject({
          status: 400,
          body: { msg },
        });
      }
    }
    for (const request of [{ default_all_public_streams: 'yes' }, { default_all_public_streams: 1 }]) {
      expect(await member.patch(`/bots/${bot.id}`, request)).toMatchObject(refused('BAD_REQUEST'));
    }
    expect(await listed(member, bot)).toMatchObject({
      full_name: expect.not.stringMatching('Changed') as string,
      ...NONE,
    });
  });

  it('apply to its queues, unless these name other channels', async () => {
    const bot = await server.bot(member);
    const [received, other] = [await server.namedChannel(owner), await server.namedChannel(owner)];
    const listens = { default_events_register_stream: received.name, default_all_public_streams: true };
    expect((await member.patch(`/bots/${bot.id}`, listens)).status).toBe(200);
    const say = async () => {
      for (const { id, name } of [received, other]) {
        await owner.post('/messages', { type: 'channel', to: id, topic: 'news', content: name });
      }
    };
    const eventsAfter = async (request: object) => {
      const events = await bot.receive(say, { event_types: ['message'], ...request });
      return events.map(({ message }) => (message as { display_recipient: string }).display_recipient);
    };
    expect(await eventsAfter({})).toEqual([received.name]);
    expect(await eventsAfter({ narrow: [['channel', other.name]] })).toEqual([other.name]);
    expect(await eventsAfter({ all_public_streams: false })).toEqual([]);
    await owner.patch(`/bots/${bot.id}`, { role: 600 });
    expect(await eventsAfter({})).toEqual([]);
    expect(await bot.post('/register', { all_public_streams: true })).toMatchObject(refused('BAD_REQUEST'));
  });
});
