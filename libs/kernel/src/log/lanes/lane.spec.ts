import type { Position, RealmId } from '../../domain/index';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import { following, Rejected } from '../../domain/index';
import { emptyAppend } from '../../spec-support/empty-append';
import { counter, note, raise } from '../../spec-support/toy-context';
import { openToyKernel, realm, system } from '../../spec-support/toy-kernel';
import { Conflict, Overloaded } from '../errors';
import { InvalidEvent } from '../encoding/registry';

describe('the lane', () => {
  let toy: ToyKernel;
  beforeEach(async () => (toy = await openToyKernel({ realms: 3 })));
  afterEach(() => toy.close());

  const raiseOnce = (by = 1, kernel = toy.kernel, realmId = realm) =>
    kernel.work.run(system(realmId), (work) => work.decide(counter, 1, raise(1, by)));
  const sum = (realmId = realm) => toy.kernel.work.run(system(realmId), (work) => work.read(counter, 1));
  const positions = async (realmId = realm) =>
    (await toy.kernel.events.page(realmId, 0, 10_000)).map((e) => e.position);

  it('gives events the positions 1, 2, 3 … of their realm', async () => {
    for (let n = 0; n < 3; n++) await raiseOnce();
    await raiseOnce(1, toy.kernel, 2 as RealmId);
    expect(await positions()).toEqual([1, 2, 3]);
    expect(await positions(2 as RealmId)).toEqual([1]);
  });

  it('commits waiting appends together: many callers, one hot stream, nothing lost', async () => {
    await Promise.all(Array.from({ length: 200 }, () => raiseOnce()));
    expect(await sum()).toBe(200);
    expect(await positions()).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  });

  it('names a new stream by the position of its event and returns the id', async () => {
    await raiseOnce();
    const opened = await toy.kernel.work.run(system(), async (work) => work.open('note', note('hello')));
    expect(opened.id).toBe(2);
    expect(await toy.kernel.events.stream(realm, 'note-2')).toHaveLength(1);
  });

  it('turns a distance inside one append into the id of the event it names', async () => {
    const first = await toy.kernel.work.run(system(), async (work) => {
      const opened = work.open('note', note('see below', following<Position>(1)));
      work.open('note', note('below'));
      return opened;
    });
    const [event] = await toy.kernel.events.at(realm, [first.id]);
    expect(event?.data).toEqual({ length: 9, about: first.id + 1 });
    const row = await toy.kernel.database.pool.query('SELECT about FROM view.toy_notes WHERE note_id = $1', [first.id]);
    expect(row.rows).toEqual([{ about: first.id + 1 }]);
  });

  it('never lets time decrease within a realm', async () => {
    await raiseOnce();
    toy.clock.advance(-60_000);
    await raiseOnce();
    const [first, second] = await toy.kernel.events.page(realm, 0, 10);
    expect(second?.at).toBe(first?.at);
  });

  it('refuses an append whose stream has changed, and that append alone', async () => {
    let tries = 0;
    const stale = toy.kernel.work.run(system(), async (work) => {
      const events = await work.decide(counter, 1, raise(1, 1, 10));
      if (tries++ === 0) await raiseOnce(10);
      return events;
    });
    await expect(stale).rejects.toThrow(Rejected);
    expect(tries).toBe(1);
    expect(await sum()).toBe(10);
  });

  it('refuses an append that depends on a stream which was only read and has changed', async () => {
    let tries = 0;
    await toy.kernel.work.run(system(), async (work) => {
      tries++;
      const seen = await work.read(counter, 1);
      if (tries === 1) await raiseOnce(5);
      work.open('note', note('x'.repeat(seen)));
    });
    expect(tries).toBe(2);
    const { rows } = await toy.kernel.database.pool.query('SELECT length FROM view.toy_notes');
    expect(rows).toEqual([{ length: 5 }]);
  });

  it('refuses a failing command of a batch and commits the others', async () => {
    const poisoned = toy.kernel.lanes.append(
      emptyAppend(realm, { secrets: [{ put: 'x', kind: null as unknown as string, value: Buffer.from('x') }] }),
    );
    const others = Promise.all(Array.from({ length: 20 }, () => raiseOnce()));
    await expect(poisoned).rejects.toMatchObject({ code: '23502' });
    await others;
    expect(await sum()).toBe(20);
    expect(await positions()).toHaveLength(20);
  });

  it('refuses what does not fit its schema before anything is sent', async () => {
    const wrong = toy.kernel.work.run(system(), async (work) => {
      work.append('note-1', [{ ...note('x'), data: { length: -1, about: null } }]);
    });
    await expect(wrong).rejects.toThrow(InvalidEvent);
    await expect(
      toy.kernel.work.run(system(), async (work) => work.append('note-1', [note('a\ud800b')])),
    ).rejects.toThrow('lone surrogate');
    await expect(toy.kernel.work.run(system(), async (work) => work.append('note-1', [note('a\0b')]))).rejects.toThrow(
      'NUL',
    );
    await expect(
      toy.kernel.work.run(system(), async (work) => work.append('note-1', [note('x'.repeat(1_000_001))])),
    ).rejects.toThrow('larger than');
    await expect(
      toy.kernel.work.run(system(), async (work) => work.append('note-1', [note('語'.repeat(333_334))])),
    ).rejects.toThrow('larger than');
    expect(await positions()).toEqual([]);
  });

  it('keeps text with literal backslashes and unusual characters verbatim', async () => {
    const text = 'a\\u0000 \\\\ud800 "quoted" 😀\u2028';
    const opened = await toy.kernel.work.run(system(), async (work) => work.open('note', note(text)));
    const [event] = await toy.kernel.events.at(realm, [opened.id]);
    expect(event?.sealed).toEqual({ text });
  });

  it('writes secrets with their event and deletes them with another', async () => {
    await toy.kernel.work.run(system(), async (work) => {
      await work.decide(counter, 1, raise(1, 1));
      work.secret({ put: 'key-1', kind: 'toy', value: Buffer.from('digest') });
    });
    const read = () => toy.kernel.database.pool.query('SELECT id, kind, value FROM secrets');
    expect((await read()).rows).toEqual([{ id: 'key-1', kind: 'toy', value: Buffer.from('digest') }]);
    await toy.kernel.work.run(system(), async (work) => work.secret({ drop: 'key-1' }));
    expect((await read()).rows).toEqual([]);
  });

  it('writes realms of one batch together and refuses a realm that does not exist', async () => {
    const realms = [1, 2, 3].map((id) => raiseOnce(1, toy.kernel, id as RealmId));
    await Promise.all(realms);
    expect(await sum(3 as RealmId)).toBe(1);
    await expect(raiseOnce(1, toy.kernel, 99 as RealmId)).rejects.toThrow('no head');
    await raiseOnce();
    expect(await sum()).toBe(2);
  });

  it('refuses to write read models that are live in another version', async () => {
    await toy.kernel.database.pool.query(
      `UPDATE projections SET version = 2 WHERE name = 'toy_notes'; UPDATE installation SET read_models = read_models + 1`,
    );
    await expect(raiseOnce()).rejects.toThrow(Overloaded);
    await toy.kernel.database.pool.query(
      `UPDATE projections SET version = 1 WHERE name = 'toy_notes'; UPDATE installation SET read_models = read_models + 1`,
    );
    await raiseOnce();
    expect(await positions()).toEqual([1]);
  });

  it('continues by itself after its connection was cut', async () => {
    await raiseOnce();
    await toy.kernel.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'annals-lane' AND datname = current_database()`,
    );
    await Promise.all(Array.from({ length: 5 }, () => raiseOnce()));
    expect(await sum()).toBe(6);
  });

  it('two processes write one realm: positions stay gapless, every raise counts once', async () => {
    const other = await toy.another();
    await Promise.all([
      ...Array.from({ length: 50 }, () => raiseOnce()),
      ...Array.from({ length: 50 }, () => raiseOnce(1, other)),
    ]);
    await toy.kernel.fence.reach(realm);
    expect(await sum()).toBe(100);
    expect(await positions()).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  it('three processes write the same realms in turns: positions stay gapless, every raise counts once', async () => {
    const kernels = [toy.kernel, await toy.another(), await toy.another()];
    const realms = [1, 2, 3] as RealmId[];
    const writer = async (kernel: typeof toy.kernel, realmId: RealmId) => {
      for (let n = 0; n < 20; n++) await raiseOnce(1, kernel, realmId);
    };
    await Promise.all(kernels.flatMap((kernel) => realms.map((realmId) => writer(kernel, realmId))));
    for (const realmId of realms) {
      await toy.kernel.fence.reach(realmId);
      expect(await sum(realmId)).toBe(60);
      expect(await positions(realmId)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    }
  });

  it('gives a conflict its stream, so that the loser knows what to read again', async () => {
    await raiseOnce();
    const lost = toy.kernel.lanes.append(emptyAppend(realm, { reads: new Map([['counter-1', 7]]) }));
    await expect(lost).rejects.toThrow(Conflict);
    await expect(lost).rejects.toMatchObject({ stream: 'counter-1' });
  });
});
