import type { Kernel } from '@annals/kernel';
import type { ToyKernel } from '../../libs/kernel/src/spec-support/toy-kernel';
import { openToyKernel, realm, system } from '../../libs/kernel/src/spec-support/toy-kernel';
import { note } from '../../libs/kernel/src/spec-support/toy-context';
import { CallRecorder } from '../support/events/call-recorder';
import { CrashingPostgres } from '../support/faults/crashing-postgres';
import type { Acknowledged } from './appending';
import { expectWhole } from './appending';
import { onceItAnswers } from './crash';

const KIND = 'thing';
const CRASHES = 10;
/** Callers of each process, and ids that are taken between two crashes. */
const CALLERS = 4;
const BETWEEN_CRASHES = 60;

/** Ids do not wait for the disk, and here PostgreSQL writes what does not wait as late as it can. */
describe('ids, while PostgreSQL crashes', () => {
  let postgres: CrashingPostgres;
  let toy: ToyKernel;
  beforeAll(async () => {
    postgres = await CrashingPostgres.start();
    toy = await openToyKernel({ adminUrl: postgres.url });
  });
  afterAll(async () => {
    await toy.close();
    await postgres.end();
  });

  const take = () => onceItAnswers(() => toy.kernel.ids.next(realm, KIND));

  it.each<[what: string, crash: () => Promise<void>]>([
    ['is stopped at once and started again', () => postgres.stopAtOnce()],
    // A crash of the round before may not be over, although an id was still taken.
    ['loses its WAL writer', () => onceItAnswers(() => postgres.killWalWriter())],
  ])('%s right after one was taken: a process that still has it is the only one', async (_what, crash) => {
    for (let n = 0; n < 3; n++) {
      const before = await take();
      await crash();
      expect(await take()).toBeGreaterThan(before);
    }
  });

  it('again and again under load: none is given twice, nor is in two events', async () => {
    const taken = new CallRecorder<[id: number]>();
    const acknowledged: Acknowledged[] = [];
    let isOver = false;
    const create = async (kernel: Kernel) => {
      let text = '';
      const { id: position } = await kernel.work.run(system(), async (work) => {
        const id = await kernel.ids.next(realm, KIND);
        taken.listener(id);
        return work.open('note', note((text = String(id))));
      });
      acknowledged.push({ text, position });
    };
    const call = async (kernel: Kernel) => {
      while (!isOver) await onceItAnswers(() => create(kernel));
    };
    const kernels = [toy.kernel, await toy.another()];
    const callers = kernels.flatMap((kernel) => Array.from({ length: CALLERS }, () => call(kernel)));
    for (let n = 0; n < CRASHES; n++) {
      await taken.atLeast(taken.calls.length + BETWEEN_CRASHES);
      await (n % 3 === 2 ? onceItAnswers(() => postgres.killWalWriter()) : postgres.stopAtOnce());
    }
    isOver = true;
    await Promise.all(callers);
    const ids = taken.calls.map(([id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await expectWhole(toy, acknowledged)).toBeGreaterThan(CRASHES);
  });
});
