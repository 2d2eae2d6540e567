import { defineContext } from '../../contexts/define-context';
import type { Recorded } from '../../domain/index';
import { defineEvent, fact, t } from '../../domain/index';
import { UnknownEventType } from '../../log/encoding/registry';
import { note, toyContext } from '../../spec-support/toy-context';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import { openToyKernel, realm, system } from '../../spec-support/toy-kernel';

const Added = defineEvent('added.Thing', { data: t.Object({}) });
/** An event type of a newer version. */
const added = defineContext({ name: 'added', events: [Added], unhandled: { 'added.Thing': 'it is new' } });

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

  it('does not keep older code from reading, writing and building its own read models', async () => {
    expect(await toy.kernel.fence.reach(realm)).toBe(1);
    await toy.kernel.work.run(system(), async (work) => work.open('note', note('after it')));
    expect(await toy.kernel.fence.reach(realm)).toBe(2);
    await toy.kernel.rebuild().run(['toy_notes']);
    const { rows } = await toy.kernel.database.pool.query('SELECT note_id FROM view.toy_notes');
    expect(rows).toEqual([{ note_id: 2 }]);
  });

  it('is left by followers of older code to newer code, and parks no follower', async () => {
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

describe('an event of a newer version of a type that older code knows', () => {
  const before = defineEvent('changed.Thing', { data: t.Object({ size: t.Integer() }) });
  const after = defineEvent('changed.Thing', {
    v: 2,
    data: t.Object({ sizes: t.Array(t.Integer()) }),
    upcasters: { 1: ({ data, sealed }) => ({ data: { sizes: [(data as { size: number }).size] }, sealed }) },
  });
  const unhandled = { 'changed.Thing': 'only its shape matters' };
  const older = [toyContext, defineContext({ name: 'changed', events: [before], unhandled })];
  const newer = [toyContext, defineContext({ name: 'changed', events: [after], unhandled })];
  let toy: ToyKernel;
  beforeEach(async () => {
    toy = await openToyKernel({ contexts: older });
    await toy.kernel.fence.reach(realm);
    const process = await toy.another({ contexts: newer });
    await process.work.run(system(), async (work) => {
      work.append('things', [fact(after, { sizes: [1, 2] })]);
    });
  });
  afterEach(() => toy.close());

  it('is refused to older code that reads it', async () => {
    const { events } = toy.kernel;
    await expect(events.page(realm, 0, 10)).rejects.toThrow(UnknownEventType);
    await expect(events.stream(realm, 'things')).rejects.toThrow(UnknownEventType);
    await expect(events.skippingUnknown().page(realm, 0, 10)).rejects.toThrow(UnknownEventType);
  });

  it('empties the caches of older code, which continues with everything else', async () => {
    const received: (readonly Recorded[] | null)[] = [];
    toy.kernel.tail.listen((_, events) => received.push(events));
    expect(await toy.kernel.fence.reach(realm)).toBe(1);
    expect(received).toEqual([null]);
    await toy.kernel.work.run(system(), async (work) => work.open('note', note('after it')));
    expect(await toy.kernel.fence.reach(realm)).toBe(2);
  });

  it('stops the client events of older code at its position', async () => {
    const [event] = await toy.kernel.events.pageOfBytes(realm, 0, 1, 10, 1_000);
    expect(() => toy.kernel.registry.definition(event?.type ?? '')).toThrow(UnknownEventType);
    expect(event?.position).toBe(1);
  });

  it('is left by followers of older code to newer code, and parks no follower', async () => {
    const runner = await toy.kernel.follow();
    await runner.poll();
    await runner.settled();
    expect(await toy.kernel.store.parked()).toEqual([]);
    expect(runner.status()).toContainEqual(expect.objectContaining({ name: 'subjects', lag: 1 }));
    await runner.stop();
  });
});
