import { defineContext } from '../../contexts/define-context';
import { defineEvent, fact, t } from '../../domain/index';
import { note, toyContext } from '../../spec-support/toy-context';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import { openToyKernel, realm, system } from '../../spec-support/toy-kernel';

const Added = defineEvent('added.Thing', { data: t.Object({}) });
/** What a newer version brings. */
const added = defineContext({ name: 'added', events: [Added], unheard: { 'added.Thing': 'it is new' } });

describe('an event of a type that only newer code knows', () => {
  let toy: ToyKernel;
  beforeEach(async () => {
    toy = await openToyKernel();
    await toy.kernel.fence.reach(realm);
    const newer = await toy.another({ contexts: [toyContext, added] });
    await newer.work.run(system(), async (work) => {
      work.append('things', [fact(Added, {})]);
    });
  });
  afterEach(() => toy.close());

  it('keeps older code neither from reading and writing nor from building its own read models', async () => {
    expect(await toy.kernel.fence.reach(realm)).toBe(1);
    await toy.kernel.work.run(system(), async (work) => work.open('note', note('after it')));
    expect(await toy.kernel.fence.reach(realm)).toBe(2);
    await toy.kernel.rebuild().run(['toy_notes']);
    const { rows } = await toy.kernel.database.pool.query('SELECT note_id FROM view.toy_notes');
    expect(rows).toEqual([{ note_id: 2 }]);
  });

  it('is left by followers of older code to those of newer code, and parks nobody', async () => {
    const older = await toy.kernel.follow();
    await older.poll();
    await older.settled();
    expect(await toy.kernel.store.parked()).toEqual([]);
    expect(older.status()).toContainEqual(expect.objectContaining({ name: 'subjects', lag: 1 }));
    const newer = await (await toy.another({ contexts: [toyContext, added] })).follow();
    await newer.poll();
    await newer.settled();
    expect(newer.status()).toContainEqual(expect.objectContaining({ name: 'subjects', lag: 0 }));
    await older.stop();
    await newer.stop();
  });
});
