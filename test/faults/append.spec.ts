import type { ToyKernel } from '../../libs/kernel/src/spec-support/toy-kernel';
import { counter } from '../../libs/kernel/src/spec-support/toy-context';
import { openToyKernel, realm, system } from '../../libs/kernel/src/spec-support/toy-kernel';
import { expectWhole, startAppender, startRaiser, write } from './appending';
import { crash, onceItAnswers, postgresOfItsOwn, recovered } from './crash';

const STEPS = ['begin', 'locked', 'write', 'commit', 'committed'] as const;

describe('a process killed while it appends', () => {
  let toy: ToyKernel;
  beforeEach(async () => (toy = await openToyKernel()));
  afterEach(() => toy.close());

  it.each(STEPS)('before the step "%s" loses nothing it acknowledged, and writes nothing twice', async (step) => {
    const appender = startAppender(toy.url, 'a', step, 5);
    await appender.ended;
    expect(appender.acknowledged.length).toBeGreaterThan(0);
    // Others continue at once: the dead process holds no lock.
    await write(toy.kernel, 'after');
    await expectWhole(toy, appender.acknowledged);
  });
});

describe('several processes that write one realm', () => {
  it('leave positions gapless and visible in order for a reader who follows meanwhile', async () => {
    const toy = await openToyKernel();
    const writers = ['a', 'b', 'c'].map((name) => startAppender(toy.url, name));
    const seen: number[] = [];
    const enough = Promise.all(writers.map((writer) => writer.acknowledgedAtLeast(150)));
    let done = false;
    const reading = (async () => {
      while (!done) {
        for (const event of await toy.kernel.events.page(realm, seen.length, 500)) seen.push(event.position);
      }
    })();
    await enough;
    for (const writer of writers) writer.child.kill('SIGKILL');
    await Promise.all(writers.map((writer) => writer.ended));
    done = true;
    await reading;
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    await expectWhole(
      toy,
      writers.flatMap((writer) => writer.acknowledged),
    );
    await toy.close();
  });
});

describe('several processes that write one aggregate', () => {
  it('succeed one after the other, and the others decide again on the new state', async () => {
    const toy = await openToyKernel();
    const raisers = await Promise.all([1, 2, 3].map(() => startRaiser(toy.url)));
    for (const raiser of raisers) raiser.go();
    await Promise.all(raisers.map((raiser) => raiser.acknowledgedAtLeast(20)));
    for (const raiser of raisers) raiser.stop();
    await Promise.all(raisers.map(({ ended }) => ended));
    const decisions = raisers.flatMap(({ acknowledged }) => acknowledged);
    expect(Math.max(...decisions)).toBeGreaterThan(1);
    const events = await toy.kernel.events.stream(realm, 'counter-1');
    const numbers = decisions.map((_, index) => index + 1);
    expect(events.map(({ version, position }) => [version, position])).toEqual(numbers.map((n) => [n, n]));
    expect(await toy.kernel.work.run(system(), (work) => work.read(counter, 1))).toBe(decisions.length);
    await toy.close();
  });
});

describe('PostgreSQL that crashes while a process appends', () => {
  const url = postgresOfItsOwn();

  it.each(STEPS)('before the step "%s" has every append either stored once or refused', async (step) => {
    let armed = false;
    const toy = await openToyKernel({
      adminUrl: url(),
      step: async (at) => {
        if (!armed || at !== step) return;
        armed = false;
        await crash(url());
      },
    });
    await write(toy.kernel, 'before');
    armed = true;
    const during = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => write(toy.kernel, `during ${n}`)));
    const acknowledged = during.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await recovered(url());
    acknowledged.push(await onceItAnswers((attempt) => write(toy.kernel, `after ${attempt}`)));
    await expectWhole(toy, acknowledged);
    await toy.close();
  });
});
