import type { Kernel } from '@annals/kernel';
import { endInOrder } from './ending';

const never = new Promise<never>(() => undefined);

function kernelThatWasTakenBack(): Kernel {
  return { takenBack: Promise.resolve('restored'), models: { retired: never } } as unknown as Kernel;
}

describe('an app that has to end', () => {
  const heard = ['SIGINT', 'SIGHUP', 'SIGTERM', 'disconnect'] as const;
  const listenersNow = () => heard.map((name) => process.listeners(name as 'SIGINT'));
  let exit: jest.SpyInstance;
  let before: ReturnType<typeof listenersNow>;
  beforeEach(() => {
    before = listenersNow();
    jest.useFakeTimers();
    exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
  });
  afterEach(() => {
    jest.useRealTimers();
    exit.mockRestore();
    listenersNow().forEach((listeners, n) => {
      for (const listener of listeners) if (!before[n]?.includes(listener)) process.off(heard[n] as 'SIGINT', listener);
    });
  });

  it('reports for 5 s that the log was taken back, and ends as soon as it has released everything', async () => {
    const close = jest.fn(() => Promise.resolve());
    endInOrder(kernelThatWasTakenBack(), { close });
    await jest.advanceTimersByTimeAsync(4_999);
    expect(close).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(exit).toHaveBeenCalledWith(1);
  });

  it('does not repeat it once it was asked to end', async () => {
    endInOrder(kernelThatWasTakenBack(), { close: () => Promise.resolve() });
    process.emit('SIGINT');
    await jest.advanceTimersByTimeAsync(0);
    expect(exit).toHaveBeenCalledWith(0);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(exit).toHaveBeenCalledTimes(1);
  });

  it('ends at once when its read models are live no more', async () => {
    const kernel = { takenBack: never, models: { retired: Promise.resolve('retired') } } as unknown as Kernel;
    endInOrder(kernel, { close: () => Promise.resolve() });
    await jest.advanceTimersByTimeAsync(0);
    expect(exit).toHaveBeenCalledWith(1);
  });

  it('ends as failed after 25 s when a service that it closes is away', async () => {
    endInOrder(kernelThatWasTakenBack(), { close: () => never });
    await jest.advanceTimersByTimeAsync(5_000 + 24_999);
    expect(exit).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(exit).toHaveBeenCalledWith(1);
  });
});
