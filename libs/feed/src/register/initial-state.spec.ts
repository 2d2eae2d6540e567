import { defineContext } from '@annals/kernel';
import type { RegisterBlock, RegisterSnapshot } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { lastLoggedId } from '../domain/event-id';
import type { ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { as, channel, openToyFeed, realm, user } from '../spec-support/toy-feed';
import { arrived, joined, opened, posted, renamed } from '../spec-support/toy-events';

describe('the state of POST /register', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  let reader: ReturnType<typeof as>;
  beforeEach(async () => {
    toy = await openToyFeed();
    here = toy.first;
    reader = as(user(1));
    await here.happens(arrived(user(1)), arrived(user(2)), opened(channel(1)), joined(channel(1), user(1)));
  });
  afterEach(() => toy.close());

  /** Registers, and counts the snapshots that this takes. */
  const register = async (by = reader, process = here, options = {}) => {
    const snapshots = jest.spyOn(process.kernel, 'snapshot');
    const { queue_id: _, ...state } = await process.register(by, options);
    const read = snapshots.mock.calls.length;
    snapshots.mockRestore();
    return { state, read };
  };

  it('is read once, while no event changes what it was read from', async () => {
    const first = await register();
    expect(await register()).toEqual({ state: first.state, read: 0 });
    expect(first.read).toBe(1);
  });

  it('is that of the newest event, and the queue begins after it', async () => {
    await register();
    const position = await here.happens(renamed(channel(1), 'new name'));
    const { state, read } = await register();
    expect(state).toMatchObject({ streams: [{ stream_id: 1, name: 'new name' }] });
    expect([state.last_event_id, read]).toEqual([lastLoggedId(position), 1]);
    expect(await register()).toEqual({ state, read: 0 });
  });

  it('shows what another process wrote', async () => {
    const there = await toy.another();
    await register();
    const id = await there.happens(posted(channel(1), 'hello'));
    const { state } = await register();
    expect(state).toMatchObject({ messages: [id], last_event_id: lastLoggedId(id) });
  });

  it('is read again after events were skipped', async () => {
    await register();
    expect((await register()).read).toBe(0);
    (here.kernel.tail as unknown as { notify(of: RealmId, events: null): void }).notify(realm, null);
    expect((await register()).read).toBe(1);
  });

  it('is cached for one account in one role, and for one way to ask', async () => {
    await register();
    expect((await register(as(user(2)))).read).toBe(1);
    expect((await register(as(user(1), Role.guest))).read).toBe(1);
    expect((await register(reader, here, { clientGravatar: false })).read).toBe(1);
    expect((await register(reader, here, { fetchEventTypes: ['stream'] })).read).toBe(1);
    expect((await register()).read).toBe(0);
  });

  describe('with a further block', () => {
    const withBlock = async (read: RegisterBlock['read']) =>
      toy.another(defineContext({ name: 'added', registerBlocks: [{ keys: ['device'], read }] }));

    it.each<[string, (snapshot: RegisterSnapshot) => Promise<unknown>]>([
      ['the time', async ({ at }) => at],
      [
        'a table that is no read model',
        ({ client }) => client.query('SELECT count(*) FROM view.client_queues_or_none'),
      ],
    ])('reads it each time if it follows from %s', async (_, read) => {
      let asked = 0;
      const there = await withBlock(async (snapshot) => {
        asked += 1;
        await snapshot.client.query('SAVEPOINT before');
        await read(snapshot).catch(() => snapshot.client.query('ROLLBACK TO SAVEPOINT before'));
        return { devices: asked };
      });
      for (const devices of [1, 2]) expect((await register(reader, there)).state).toMatchObject({ devices });
    });

    it('reads only what has changed, at the position of the rest', async () => {
      let asked = 0;
      const there = await withBlock(async ({ client }) => {
        await client.query('SELECT count(*) FROM view.account_spans WHERE realm_id = $1', [realm]);
        return { devices: { asked: (asked += 1) } };
      });
      expect((await register(reader, there)).state).toMatchObject({ devices: { asked: 1 } });
      const position = await there.happens(renamed(channel(1), 'new name'));
      const { state } = await register(reader, there);
      expect(state).toMatchObject({ devices: { asked: 1 }, streams: [{ stream_id: 1, name: 'new name' }] });
      expect(state.last_event_id).toBe(lastLoggedId(position));
    });
  });
});
