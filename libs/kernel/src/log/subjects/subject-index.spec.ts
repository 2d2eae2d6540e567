import type { Subject } from '../../domain/index';
import { fact } from '../../domain/index';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import { Raised, counter, note, raise } from '../../spec-support/toy-context';
import { openToyKernel, realm, system } from '../../spec-support/toy-kernel';
import { eventsAbout } from './events-about';
import { SUBJECT_BLOCK, blockOf } from './subject-index';

/** Two borders of blocks. */
const EVENTS = 2 * SUBJECT_BLOCK + 10;

describe('the index of subjects', () => {
  let toy: ToyKernel;
  /** Position of the note that was written first, and of the last event. */
  let noted: number;
  beforeAll(async () => {
    toy = await openToyKernel();
    const { work } = toy.kernel;
    await work.run(system(), (one) => one.decide(counter, 7, raise(7, 1)));
    noted = (await work.run(system(), async (one) => one.open('note', note('x')))).id;
    await follow();
    const raised = Array.from({ length: EVENTS - 3 }, () => fact(Raised, { counter: 8, by: 1 }));
    await work.run(system(), (one) => one.decide(counter, 8, () => raised));
    await work.run(system(), (one) => one.decide(counter, 7, raise(7, 1)));
    await follow();
  });
  afterAll(() => toy.close());

  async function follow(): Promise<void> {
    const runner = await toy.kernel.follow();
    await runner.poll();
    await runner.settled();
    await runner.stop();
  }

  async function positions(things: readonly Subject[], before?: number): Promise<number[]> {
    const found: number[] = [];
    for await (const { event } of eventsAbout(toy.kernel, realm, things, before)) found.push(event.position);
    return found;
  }

  it('finds the events about a thing, newest first', async () => {
    expect(await positions([['counter', 7]])).toEqual([EVENTS, 1]);
    const others = await positions([['counter', 8]]);
    expect(others).toEqual(Array.from({ length: EVENTS - 3 }, (_, n) => EVENTS - 1 - n));
    expect(await positions([['counter', 9]])).toEqual([]);
  });

  it('finds things that begin with their own event, for which it has no row', async () => {
    expect(await positions([['note', noted]])).toEqual([noted]);
  });

  it('continues before a position, within a block and at its border', async () => {
    expect(await positions([['counter', 7]], EVENTS)).toEqual([1]);
    expect((await positions([['counter', 8]], SUBJECT_BLOCK + 2))[0]).toBe(SUBJECT_BLOCK + 1);
    expect((await positions([['counter', 8]], SUBJECT_BLOCK + 1))[0]).toBe(SUBJECT_BLOCK);
    expect(await positions([['counter', 7]], 1)).toEqual([]);
  });

  it('returns an event once if several things are requested, with those that it is about', async () => {
    const found: unknown[] = [];
    const things: Subject[] = [
      ['counter', 7],
      ['note', noted],
    ];
    for await (const { event, about } of eventsAbout(toy.kernel, realm, things)) found.push([event.position, about]);
    expect(found).toEqual([
      [EVENTS, [['counter', 7]]],
      [noted, [['note', noted]]],
      [1, [['counter', 7]]],
    ]);
  });

  it('has a row for each block with a type, and with a client', async () => {
    const { rows } = await toy.kernel.database.pool.query<{ kind: string; blocks: number[] }>(
      `SELECT kind, array_agg(block ORDER BY block) AS blocks FROM view.subject_blocks
        WHERE realm_id = $1 AND kind LIKE '@%' GROUP BY kind, subject_id ORDER BY 1, 2`,
      [realm],
    );
    const blocks = [0, 1, 2];
    expect(rows).toEqual([
      { kind: '@client', blocks },
      { kind: '@type', blocks: [0] },
      { kind: '@type', blocks },
    ]);
  });

  it('has a row for each block that a thing is in, not for each event', async () => {
    const { rows } = await toy.kernel.database.pool.query(
      'SELECT kind, subject_id AS id, block FROM view.subject_blocks WHERE realm_id = $1 AND left(kind, 1) <> $2 ORDER BY 1, 2, 3',
      [realm, '@'],
    );
    expect(rows).toEqual([
      { kind: 'counter', id: 7, block: 0 },
      { kind: 'counter', id: 7, block: blockOf(EVENTS) },
      ...[0, 1, 2].map((block) => ({ kind: 'counter', id: 8, block })),
    ]);
    expect(await toy.kernel.rebuild().compareWithReplay()).toEqual([]);
  });
});
