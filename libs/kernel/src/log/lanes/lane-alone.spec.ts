import type { ToyKernel } from '../../spec-support/toy-kernel';
import { emptyAppend } from '../../spec-support/empty-append';
import { LaneRecord } from '../../spec-support/lane-record';
import { slowNotes } from '../../spec-support/slow-notes';
import { counter, lengthUnused, note, raise } from '../../spec-support/toy-context';
import { openToyKernel, realm, system } from '../../spec-support/toy-kernel';
import type { Append } from '../append/append';
import { prepareEvent } from '../append/append';
import { Conflict, Overloaded } from '../errors';
import { KnownRealms } from '../append/known-realms';

/** Batches after which a lane that was alone in a realm writes without reading first. */
const QUIET = 10;

describe('a lane that has been alone in a realm for a while', () => {
  let toy: ToyKernel;
  beforeEach(async () => {
    toy = await openToyKernel();
    for (let n = 0; n < QUIET; n++) await raiseOnce();
  });
  afterEach(() => toy.close());

  const raiseOnce = (kernel = toy.kernel, id = 1) =>
    kernel.work.run(system(), (work) => work.decide(counter, id, raise(id, 1)));
  const open = (text: string) => toy.kernel.work.run(system(), async (work) => work.open('note', note(text)));
  const positions = async () => (await toy.kernel.events.page(realm, 0, 10_000)).map((event) => event.position);
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
  /** The first and the last statement of each batch that was sent while an act was written. */
  const burstsOf = async (act: () => Promise<unknown>): Promise<string[]> => {
    const record = LaneRecord.begin();
    await act().finally(() => record.end());
    const batches = new Map<number, string[]>();
    for (const { batch: batch, text } of record.end()) batches.set(batch, [...(batches.get(batch) ?? []), text]);
    return [...batches.values()].map((texts) => `${texts[0]?.split(' ')[0]} … ${texts.at(-1)?.split(' ')[0]}`);
  };

  it('locks, checks, writes and commits in one round trip', async () => {
    expect(await burstsOf(raiseOnce)).toEqual(['BEGIN … COMMIT']);
    expect(await burstsOf(() => open('a new stream'))).toEqual(['BEGIN … COMMIT']);
    expect(await burstsOf(() => raiseOnce(toy.kernel, 2))).toEqual(['BEGIN … COMMIT']);
    expect(await positions()).toEqual(upTo(QUIET + 3));
  });

  it('stores nothing on an outdated assumption after another process wrote, and reads the heads for a while', async () => {
    const other = await toy.another();
    await raiseOnce(other);
    expect(await burstsOf(() => open('after the other'))).toEqual([
      'BEGIN … COMMIT',
      'BEGIN … SELECT',
      'INSERT … COMMIT',
    ]);
    expect(await burstsOf(() => open('with care'))).toEqual(['BEGIN … SELECT', 'INSERT … COMMIT']);
    for (let n = 0; n < QUIET; n++) await raiseOnce();
    expect(await burstsOf(raiseOnce)).toEqual(['BEGIN … COMMIT']);
    expect(await positions()).toEqual(upTo(QUIET * 2 + 4));
    expect(await toy.kernel.work.run(system(), (work) => work.read(counter, 1))).toBe(QUIET * 2 + 2);
  });

  it('reads first if there is a guard, or if the version cannot be known', async () => {
    const guarded = () =>
      toy.kernel.work.run(system(), async (work) => {
        work.guard(lengthUnused, 4);
        work.open('note', note('four'));
      });
    const somewhere = () => toy.kernel.work.run(system(), async (work) => work.append('note-hot', [note('hot')]));
    const looks = ['BEGIN … SELECT', 'INSERT … COMMIT'];
    expect(await burstsOf(guarded)).toEqual(looks);
    expect(await burstsOf(somewhere)).toEqual(looks);
    expect(await burstsOf(somewhere)).toEqual(['BEGIN … COMMIT']);
    expect((await toy.kernel.events.stream(realm, 'note-hot')).map(({ version }) => version)).toEqual([1, 2]);
  });

  it.each([
    ['behind', 'counter-1', QUIET - 1],
    ['ahead of', 'counter-1', QUIET + 1],
    ['ahead of, without knowing the stream,', 'counter-7', 1],
  ])('refuses alone an append that is %s what is stored', async (_, stream, version) => {
    const [kept, lost] = await Promise.allSettled([
      open('kept'),
      toy.kernel.lanes.append(emptyAppend(realm, { reads: new Map([[stream, version]]) })),
    ]);
    expect(kept.status).toBe('fulfilled');
    expect(lost).toMatchObject({ status: 'rejected', reason: { stream } });
    expect(lost.status === 'rejected' && lost.reason instanceof Conflict).toBe(true);
    expect(await positions()).toEqual(upTo(QUIET + 1));
  });

  it('knows a stream that was read before it existed, when it exists', async () => {
    const name = `note-${QUIET + 2}`;
    const resting = (version: number) =>
      toy.kernel.lanes.append(emptyAppend(realm, { reads: new Map([[name, version]]), events: [later()] }));
    const later = () => prepareEvent(toy.kernel.registry, { stream: 'note-else', at: 'any' }, note('else'), null);
    await resting(0);
    await open('named by its position');
    expect(await toy.kernel.events.stream(realm, name)).toHaveLength(1);
    await expect(resting(0)).rejects.toThrow(Conflict);
    await resting(1);
    expect(await positions()).toEqual(upTo(QUIET + 3));
  });

  it('plans a batch while the one before it is sent, and refuses alone what is wrong in either', async () => {
    const [CALLERS, EACH] = [120, 30];
    await slowNotes(toy.kernel.database.pool);
    const poison = () =>
      toy.kernel.lanes.append(
        emptyAppend(realm, { secrets: [{ put: 'x', kind: null as unknown as string, value: Buffer.from('x') }] }),
      );
    const outdated = () => toy.kernel.lanes.append(emptyAppend(realm, { reads: new Map([['counter-1', 1]]) }));
    const refused: unknown[] = [];
    const caller = async (_: unknown, number: number) => {
      for (let n = 1; n <= EACH; n++) {
        await open(`caller ${number} note ${n}`);
        if (number === 7 && n % 15 === 0) await poison().catch((error: unknown) => refused.push(error));
        if (number === 9) await outdated().catch((error: unknown) => refused.push(error));
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    expect(refused.filter((error) => (error as { code?: string }).code === '23502')).toHaveLength(2);
    expect(refused.filter((error) => error instanceof Conflict)).toHaveLength(EACH);
    expect(await positions()).toEqual(upTo(QUIET + CALLERS * EACH));
  });

  it('plans the next batch during the current one, whenever its appends arrived', async () => {
    const planned: string[] = [];
    const assume = KnownRealms.prototype.assume;
    jest.spyOn(KnownRealms.prototype, 'assume').mockImplementation(function (this: KnownRealms, appends) {
      planned.push(`${appends.length} ${record.underWay ? 'meanwhile' : 'afterwards'}`);
      return assume.call(this, appends);
    });
    const many = (count: number, more: Partial<Append> = {}) =>
      Promise.all(Array.from({ length: count }, () => toy.kernel.lanes.append(emptyAppend(realm, more))));
    const kept = { secrets: [{ put: 'x', kind: 'toy', value: Buffer.from('x') }] };
    const record = LaneRecord.begin();
    const written: Promise<unknown>[] = [];
    await toy.kernel.database.transaction('BEGIN', async (client) => {
      await client.query('LOCK TABLE secrets IN EXCLUSIVE MODE');
      written.push(many(10, kept));
      while (!record.underWay) await new Promise(setImmediate);
      // Some appends arrive when too many wait for a plan, and when one exists already.
      written.push(many(80, kept));
      while (planned.length < 2) await new Promise(setImmediate);
      written.push(many(40));
    });
    await Promise.all(written);
    record.end();
    jest.restoreAllMocks();
    expect(planned).toEqual(['10 afterwards', '80 meanwhile', '40 meanwhile']);
  });

  it('refuses to write read models that have become live in another version', async () => {
    await toy.kernel.database.pool.query(
      `UPDATE projections SET version = 2 WHERE name = 'toy_notes'; UPDATE installation SET read_models = read_models + 1`,
    );
    await expect(open('too late')).rejects.toThrow(Overloaded);
    await toy.kernel.database.pool.query(
      `UPDATE projections SET version = 1 WHERE name = 'toy_notes'; UPDATE installation SET read_models = read_models + 1`,
    );
    await open('in time');
    expect(await positions()).toEqual(upTo(QUIET + 1));
  });

  it('writes nothing to a history that a restore took back, wherever its head is', async () => {
    await toy.kernel.database.pool.query('UPDATE installation SET id = gen_random_uuid()');
    const late = toy.kernel.lanes.append(emptyAppend(realm));
    await expect(late).rejects.toThrow('the log was taken back');
    expect(await positions()).toEqual(upTo(QUIET));
    await expect(toy.kernel.takenBack).resolves.toContain('restored');
  });

  it('writes to several realms at once only when it is alone in each', async () => {
    await toy.close();
    toy = await openToyKernel({ realms: 2 });
    const both = () => Promise.all([1, 2].map((id) => toy.kernel.lanes.append(emptyAppend(id as typeof realm))));
    for (let n = 0; n < QUIET; n++) await both();
    expect(await burstsOf(both)).toEqual(['BEGIN … COMMIT']);
    const other = await toy.another();
    await raiseOnce(other);
    expect(await burstsOf(both)).toEqual(['BEGIN … COMMIT', 'BEGIN … SELECT', 'INSERT … COMMIT']);
  });
});
