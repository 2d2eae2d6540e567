import { readSettings } from '../../../shared/src/settings';
import { restored } from './restored';

/** No database is at this address: a command that continued would fail. */
const settings = readSettings({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });

describe('annals restored', () => {
  it.each(['', 'yes', 'Restored'])('does nothing when the operator answers "%s"', async (answer) => {
    const lines: string[] = [];
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return answer;
    };
    expect(await restored(settings, false, { print: (line) => lines.push(line), ask })).toBe(1);
    expect(asked).toEqual(['Type "restored" to continue: ']);
    expect(lines.at(-1)).toBe('Nothing was done.');
    expect(lines.join('\n')).toContain('drop all client queues');
  });

  it('continues when the operator types the word, and without a question when asked to', async () => {
    const io = { print: () => undefined, ask: async () => 'restored' };
    await expect(restored(settings, false, io)).rejects.toThrow('ECONNREFUSED');
    await expect(restored(settings, true, { ...io, ask: null })).rejects.toThrow('ECONNREFUSED');
  });
});
