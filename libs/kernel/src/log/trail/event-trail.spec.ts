import type { Position, Subject, UserId } from '../../domain/index';
import { fact } from '../../domain/index';
import { Noted, Raised } from '../../spec-support/toy-context';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import { openToyKernel, realm } from '../../spec-support/toy-kernel';
import { SUBJECT_BLOCK, SUBJECT_INDEX } from '../subjects/subject-index';
import type { TrailRange, TrailOrder } from './candidate-blocks';
import type { TrailPage } from './event-trail';
import { EventTrail } from './event-trail';
import type { TrailFilter } from './trail-filter';

const SIZE = 6 * SUBJECT_BLOCK + 300;
const REQUEST = '12345678-9abc-4def-8123-456789abcdef';

/** Numbers that look random and are the same each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 8;
  }
}

describe('the trail of a log', () => {
  let toy: ToyKernel;
  let trail: EventTrail;
  let all: { position: number; actor: number | null; client: string; type: string; subjects: readonly Subject[] }[];
  beforeAll(async () => {
    toy = await openToyKernel();
    trail = new EventTrail(toy.kernel);
    const random = numbers(7);
    const next = (below: number) => random.next().value % below;
    for (let written = 0; written < SIZE;) {
      const count = Math.min(1 + next(40), SIZE - written);
      const rare = written > 2 * SUBJECT_BLOCK && written < 2 * SUBJECT_BLOCK + 60;
      const origin = {
        client: rare ? 'rare client' : `client ${next(3)}`,
        correlation: rare
          ? REQUEST
          : `${(0x10000000 + next(0xfffffff)).toString(16)}-1111-4111-8111-${next(1e9).toString(16).padStart(12, '0')}`,
        address: null,
      };
      await toy.kernel.work.run({ realmId: realm, userId: null, origin }, async (work) => {
        for (let n = 0; n < count; n++) {
          if (next(9) === 0) work.open('note', fact(Noted, { length: 1, about: null }, { text: 'x' }));
          else work.append('sums', [fact(Raised, { counter: 1 + next(next(50) === 0 ? 2_000 : 12), by: 1 })]);
        }
      });
      written += count;
      if (written > SIZE - 400 && !followed) await follow();
    }
    await toy.kernel.database.pool.query(
      'ALTER TABLE events DISABLE TRIGGER USER; UPDATE events SET actor_id = CASE WHEN position % 5 = 0 THEN NULL ELSE position % 7 END',
    );
    await again();
    const events = await toy.kernel.events.page(realm, 0, SIZE);
    all = events.map((event) => ({
      position: event.position,
      actor: event.actorId,
      client: event.client,
      type: event.type,
      subjects: toy.kernel.registry.definition(event.type).subjects(event.data, event.position),
    }));
  });
  afterAll(() => toy.close());

  let followed = false;
  async function follow(): Promise<void> {
    followed = true;
    const runner = await toy.kernel.follow();
    await runner.poll();
    await runner.settled();
    await runner.stop();
  }
  /** The index again, of actors that were not there when it was written; up to the same position. */
  async function again(): Promise<void> {
    await toy.kernel.rebuild().run(['subjects']);
  }

  /** All pages. */
  async function read(filter: TrailFilter, span: TrailRange, order: TrailOrder, limit: number): Promise<number[]> {
    const found: number[] = [];
    for (let rest: TrailRange | null = span; rest;) {
      const page: TrailPage = await trail.page(realm, { filter, span: rest, order, limit });
      expect(page.events.length).toBeLessThanOrEqual(limit);
      found.push(...page.events.map(({ event }) => event.position));
      rest = page.rest;
    }
    return found;
  }
  function expected({ actorId, subject, types, client, account }: TrailFilter, { after, upTo }: TrailRange): number[] {
    const isAbout = (subjects: readonly Subject[], [kind, id]: Subject) =>
      subjects.some((one) => one[0] === kind && one[1] === id);
    return all
      .filter(
        (one) =>
          one.position > after &&
          one.position <= upTo &&
          (actorId === undefined || one.actor === actorId) &&
          (account === undefined || one.actor === account) &&
          (subject === undefined || isAbout(one.subjects, subject)) &&
          (types === undefined || types.includes(one.type)) &&
          (client === undefined || one.client === client),
      )
      .map(({ position }) => position);
  }

  const WHOLE = { after: 0, upTo: SIZE };
  const filters: TrailFilter[] = [
    {},
    { subject: ['counter', 3] },
    { subject: ['counter', 1_777] },
    { subject: ['counter', 99_999] },
    { subject: ['note', 5] },
    { types: ['toy.Noted'] },
    { types: ['toy.Noted', 'toy.Raised'], subject: ['counter', 12] },
    { types: [] },
    { client: 'rare client' },
    { client: 'nobody' },
    { client: 'client 1', subject: ['counter', 7], types: ['toy.Raised'] },
    { actorId: 4 as UserId },
    { actorId: 4 as UserId, client: 'rare client' },
    { account: 6 as UserId, types: ['toy.Noted'] },
  ];
  const cases = filters.flatMap((filter) => (['newest', 'oldest'] as const).map((order) => [filter, order] as const));

  it.each(cases)('has the events that meet %j, %s first', async (filter, order) => {
    for (const [span, limit] of [
      [WHOLE, 1_000],
      [{ after: 1_000, upTo: 4_321 }, 77],
      [{ after: SIZE - 350, upTo: SIZE }, 3],
      [{ after: 12, upTo: 12 }, 3],
    ] as const) {
      const wanted = expected(filter, span);
      expect(await read(filter, span, order, limit)).toEqual(order === 'newest' ? wanted.reverse() : wanted);
    }
  });

  it('finds the events of a request, and none of one that was not there', async () => {
    const wanted = all.filter(({ client }) => client === 'rare client').map(({ position }) => position);
    expect(wanted.length).toBeGreaterThan(10);
    expect(await read({ requestId: REQUEST }, WHOLE, 'oldest', 1_000)).toEqual(wanted);
    expect(await read({ requestId: REQUEST, types: ['toy.Noted'] }, WHOLE, 'newest', 2)).toEqual(
      wanted.filter((position) => all[position - 1]?.type === 'toy.Noted').reverse(),
    );
    expect(await read({ requestId: '00000000-0000-4000-8000-00000000000a' }, WHOLE, 'newest', 10)).toEqual([]);
  });

  it('has events at once that the index has not followed', async () => {
    const { pool } = toy.kernel.database;
    const back = (position: number) =>
      pool.query(`UPDATE projection_checkpoints SET position = $1 WHERE projection = 'subjects'`, [position]);
    const index = `view_subjects_${SUBJECT_INDEX.version}.subject_blocks`;
    await pool.query(`CREATE TABLE kept AS SELECT * FROM ${index}`);
    await back(SIZE - 2_500);
    await pool.query(`DELETE FROM ${index} WHERE last_position > $1`, [SIZE - 2_500]);
    for (const filter of filters)
      for (const order of ['newest', 'oldest'] as const)
        for (const span of [WHOLE, { after: SIZE - 2_600, upTo: SIZE }]) {
          const wanted = expected(filter, span);
          expect(await read(filter, span, order, 1_000)).toEqual(order === 'newest' ? wanted.reverse() : wanted);
        }
    await back(SIZE);
    await pool.query(`TRUNCATE ${index}; INSERT INTO ${index} SELECT * FROM kept`);
  });

  it('says what the events are about', async () => {
    const span = { after: 0, upTo: 1 };
    const { events } = await trail.page(realm, { filter: {}, span, order: 'newest', limit: 1 });
    expect(events).toEqual([
      { event: expect.objectContaining({ position: 1 as Position }) as object, subjects: all[0]?.subjects },
    ]);
  });
});
