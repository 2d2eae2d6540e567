import { PassThrough } from 'node:stream';
import { busy, progress } from './progress';

/** Records the output that a terminal, or a file in its place, would have received. */
function watcher(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 120 }) as unknown as NodeJS.WriteStream;
  let time = 0;
  const said = () => String((stream as unknown as PassThrough).read() ?? '');
  return { stream, said, now: () => time, pass: (ms: number) => (time += ms) };
}

describe('progress on a terminal', () => {
  it('is a bar, for work that takes longer than a second', () => {
    const { said, pass, ...watched } = watcher(true);
    const bar = progress('realm 1', watched);
    pass(999);
    bar.update(1, 4);
    expect(said()).toBe('');
    pass(1);
    bar.update(2, 4, 'copying');
    expect(said()).toMatch(/realm 1 \[█+░+\] 50% \| 2\/4 \| .* copying/);
    bar.stop();
    expect(said()).toMatch(/\n/);
  });

  it('shows a job without known progress, and removes the line', async () => {
    jest.useFakeTimers();
    try {
      const { said, ...watched } = watcher(true);
      const result = busy(
        'messages: comparing',
        () => new Promise((resolve) => setTimeout(resolve, 2_000, 'equal')),
        watched,
      );
      jest.advanceTimersByTime(999);
      expect(said()).toBe('');
      jest.advanceTimersByTime(1_001);
      expect(await result).toBe('equal');
      expect(said()).toMatch(/^messages: comparing …\x1b\[2K\x1b\[1G$/);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('progress without a terminal', () => {
  it('is not shown at all', async () => {
    jest.useFakeTimers();
    try {
      const { said, pass, ...watched } = watcher(false);
      const bar = progress('realm 1', watched);
      pass(5_000);
      bar.update(2, 4);
      bar.stop();
      const result = busy('comparing', () => new Promise((resolve) => setTimeout(resolve, 2_000)), watched);
      jest.advanceTimersByTime(2_000);
      await result;
      expect(said()).toBe('');
    } finally {
      jest.useRealTimers();
    }
  });
});
