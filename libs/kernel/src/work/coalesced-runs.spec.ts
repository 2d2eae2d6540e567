import { Repeated } from './repeated';
import { CoalescedRuns } from './coalesced-runs';

/** Runs that last until the spec ends each. */
function held() {
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const rounds = new CoalescedRuns<string>((key) => {
    begun.push(key);
    return new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  });
  const end = async (error?: Error) => {
    ends.shift()?.(error);
    await new Promise(setImmediate);
  };
  return { rounds, begun, end };
}

describe('coalesced runs', () => {
  it('run one at a time for a key, and requests meanwhile share one more run', async () => {
    const { rounds, begun, end } = held();
    const asked = [rounds.run('a'), rounds.run('a'), rounds.run('a'), rounds.run('b')];
    expect(begun).toEqual(['a', 'b']);
    await end();
    expect(begun).toEqual(['a', 'b', 'a']);
    await end();
    await end();
    await Promise.all(asked);
    expect(begun).toHaveLength(3);
  });

  it('fail for their callers, and begin again for later callers', async () => {
    const { rounds, begun, end } = held();
    const [first, second] = [rounds.run('a'), rounds.run('a')];
    const refusals = Promise.allSettled([first, second]);
    await end(new Error('away'));
    expect((await refusals).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const third = rounds.run('a');
    await end();
    await third;
    expect(begun).toEqual(['a', 'a']);
  });

  it('end with the current one when they are stopped', async () => {
    const { rounds, begun, end } = held();
    const asked = [rounds.run('a'), rounds.run('a')];
    const stopped = rounds.stop();
    await end();
    await Promise.all([...asked, stopped, rounds.run('b')]);
    expect(begun).toEqual(['a']);
  });
});

describe('repeated work', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('begins at once, skips times at which it is running, and ends with the current run', async () => {
    let turns = 0;
    let end = (): void => undefined;
    const repeated = new Repeated(1_000, () => {
      turns += 1;
      return new Promise((resolve) => (end = resolve));
    });
    repeated.start();
    jest.advanceTimersByTime(3_000);
    expect(turns).toBe(1);
    end();
    await new Promise(setImmediate);
    jest.advanceTimersByTime(1_000);
    expect(turns).toBe(2);
    let stopped = false;
    const stopping = repeated.stop().then(() => (stopped = true));
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    end();
    await stopping;
    jest.advanceTimersByTime(5_000);
    expect(turns).toBe(2);
  });
});
