import { KeyedLimit } from './keyed-limit';

/** Tasks that end when the spec says so. */
class Tasks {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  readonly task = (name: string) => async () => {
    this.begun.push(name);
    await new Promise<void>((resolve) => this.ends.set(name, resolve));
  };

  end(name: string): void {
    this.ends.get(name)?.();
  }
}

describe('a limit by key', () => {
  it('lets others wait, in the order they came', async () => {
    const limit = new KeyedLimit(2);
    const all = new Tasks();
    const runs = ['a', 'b', 'c', 'd'].map((name) => limit.run('ann', all.task(name)));
    expect(all.begun).toEqual(['a', 'b']);
    all.end('b');
    await runs[1];
    expect(all.begun).toEqual(['a', 'b', 'c']);
    all.end('a');
    await runs[0];
    expect(all.begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is for each key by itself', () => {
    const limit = new KeyedLimit(1);
    const tasks = new Tasks();
    void limit.run('ann', tasks.task('a'));
    void limit.run('bob', tasks.task('b'));
    expect(tasks.begun).toEqual(['a', 'b']);
  });

  it('continues after a task that failed', async () => {
    const limit = new KeyedLimit(1);
    const failed = limit.run('ann', () => Promise.reject(new Error('broken')));
    const after = limit.run('ann', () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('broken');
    await expect(after).resolves.toBe('done');
    await expect(limit.run('ann', () => Promise.resolve('again'))).resolves.toBe('again');
  });
});
