import { defineProjection } from '../definition/define';
import { doAsAsked } from '../spec-support/asked';
import { SpecLog } from '../spec-support/spec-log';

const projection = (name: string, version: number, lifecycle: 'inline' | 'background' = 'inline') =>
  defineProjection({
    name,
    version,
    lifecycle,
    tables: {
      [name]: {
        columns: { id: 'int4', [`since_${version}`]: 'text' },
        key: ['id'],
        indexes: [{ on: [`since_${version}`] }],
      },
    },
    handlers: [doAsAsked],
  });

const people = projection('people', 1);
const counts = projection('counts', 1, 'background');
const insertPerson = [{ do: 'insert', table: 'people', row: { id: 7 } } as const];

describe('what is live', () => {
  let log: SpecLog;

  beforeEach(async () => (log = await SpecLog.open()));
  afterEach(() => log.close());

  const versions = async () =>
    [...(await log.store.rows()).values()].map(({ name, version }) => [name, version]).sort();
  const columns = async (table: string) =>
    (
      await log.database.pool.query<{ c: string }>(
        `SELECT column_name AS c FROM information_schema.columns WHERE table_schema LIKE 'view\\_%' AND table_name = $1`,
        [table],
      )
    ).rows.map(({ c }) => c);

  it('is the declared one, at once, while the log is empty', async () => {
    expect(await log.store.ensureLive([people, counts])).toEqual([]);
    expect(await versions()).toEqual([
      ['counts', 1],
      ['people', 1],
    ]);
    expect(await log.store.ensureLive([projection('people', 2)])).toEqual([]);
    expect(await versions()).toEqual([['people', 2]]);
    expect(await columns('people')).toEqual(['realm_id', 'id', 'since_2', 'last_position']);
    expect(await columns('counts')).toEqual([]);
  });

  it('remains unchanged when there are events, and the differences are returned', async () => {
    await log.store.ensureLive([people, counts]);
    log.inline = [people];
    await log.append(1, insertPerson);
    const declared = [projection('people', 2), projection('new', 1, 'background')];
    expect(await log.store.ensureLive(declared)).toEqual([
      { name: 'people', live: 1, declared: 2 },
      { name: 'new', live: null, declared: 1 },
      { name: 'counts', live: 1, declared: null },
    ]);
    expect(await versions()).toEqual([
      ['counts', 1],
      ['people', 1],
    ]);
    expect(await log.rows('people')).toHaveLength(1);
  });

  it('counts a change between inline and background as another version', async () => {
    await log.store.ensureLive([people]);
    log.inline = [people];
    await log.append(1, insertPerson);
    expect(await log.store.ensureLive([projection('people', 1, 'background')])).toEqual([
      { name: 'people', live: 1, declared: 1 },
    ]);
  });

  it('is created once when several processes boot at once', async () => {
    const boots = await Promise.all([1, 2, 3].map(() => log.store.ensureLive([people, counts])));
    expect(boots).toEqual([[], [], []]);
    expect(await versions()).toEqual([
      ['counts', 1],
      ['people', 1],
    ]);
  });

  it.each([
    ['all of it in the live version', [people], undefined],
    ['another version', [projection('people', 2)], 'people is live in version 1, this process writes version 2'],
    ['one that is not live', [people, projection('topics', 1)], 'topics is live in version none, this process writes'],
    ['less than is live', [], 'read model people is live, this process does not know it'],
  ])('is written by a process that knows %s, or not', async (_, known, reason) => {
    await log.store.ensureLive([people, counts]);
    log.inline = known;
    const written = log.append(1, insertPerson);
    if (reason === undefined) expect(await written).toBe(1);
    else await expect(written).rejects.toThrow(reason);
  });

  it('starts a reader where it asks to begin, and only when it is first registered', async () => {
    await log.append(1, [], []);
    await log.append(2, []);
    const handle = async () => undefined;
    const readers = [
      { name: 'from_the_start', begins: 'beginning', handle },
      { name: 'from_now', begins: 'head', handle },
    ] as const;
    await Promise.all([log.store.ensureReaders(readers), log.store.ensureReaders(readers)]);
    await log.append(1, []);
    await log.store.ensureReaders(readers);
    expect(await log.checkpoint('from_the_start', 1)).toBeUndefined();
    expect(await log.checkpoint('from_now', 1)).toEqual({ position: 2, status: 'running' });
    expect(await log.checkpoint('from_now', 2)).toEqual({ position: 1, status: 'running' });
  });
});
