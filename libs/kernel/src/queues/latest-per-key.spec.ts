import { CallRecorder } from '../../../../test/support/events/call-recorder';
import { LatestPerKey } from './latest-per-key';

describe('the latest per key', () => {
  it('sends one value at a time per key, the highest that arrived meanwhile, and keys do not wait for each other', async () => {
    const latest = new LatestPerKey(0);
    const sends = new CallRecorder<[string, number]>();
    const answers: ((value: boolean) => void)[] = [];
    const send = (key: string) => (position: number) =>
      new Promise<boolean>((resolve) => {
        answers.push(resolve);
        sends.listener(key, position);
      });
    const first = latest.offer('a', 1, send('a'));
    await sends.atLeast(1);
    const second = latest.offer('a', 4, send('a'));
    const third = latest.offer('a', 3, send('a'));
    const other = latest.offer('b', 2, send('b'));
    await sends.atLeast(2);
    answers[0]?.(false);
    await sends.atLeast(3);
    answers[1]?.(true);
    answers[2]?.(true);
    expect(await Promise.all([first, second, third, other])).toEqual([false, true, true, true]);
    expect(sends.calls).toEqual([
      ['a', 1],
      ['b', 2],
      ['a', 4],
    ]);
  });
});
