import type { ToyKernel } from '../spec-support/toy-kernel';
import { counter, note, raise } from '../spec-support/toy-context';
import { openToyKernel, realm, system } from '../spec-support/toy-kernel';

describe('the index of subjects', () => {
  let toy: ToyKernel;
  beforeAll(async () => (toy = await openToyKernel()));
  afterAll(() => toy.close());

  it('follows the log and finds the events about a thing', async () => {
    const { kernel } = toy;
    await kernel.work.run(system(), (work) => work.decide(counter, 7, raise(7, 1)));
    const opened = await kernel.work.run(system(), async (work) => work.open('note', note('x')));
    await kernel.work.run(system(), (work) => work.decide(counter, 7, raise(7, 1)));
    const runner = await kernel.follow();
    await runner.poll();
    await runner.settled();
    await runner.stop();
    const { rows } = await kernel.database.pool.query(
      'SELECT kind, subject_id, position FROM view.event_subjects WHERE realm_id = $1 ORDER BY position',
      [realm],
    );
    expect(rows).toEqual([
      { kind: 'counter', subject_id: 7, position: 1 },
      { kind: 'note', subject_id: opened.id, position: 2 },
      { kind: 'counter', subject_id: 7, position: 3 },
    ]);
  });
});
