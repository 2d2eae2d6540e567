import { longWork } from '@annals/kernel';
import { ReadyJson } from '@annals/kernel/domain';
import fc from 'fast-check';
import { isLong, writtenInTurns } from './answer-text';

const textOf = async (answer: object) => (await writtenInTurns(answer, 'asker')).toString();

describe('an answer', () => {
  it('is short with few fields and short lists, however deep', () => {
    expect(
      isLong({ result: 'success', msg: '', user: { role: 400, groups: [1, 2], settings: { a: { b: {} } } } }),
    ).toBe(false);
    expect(isLong({ id: 7, none: null, list: [] })).toBe(false);
  });

  it('is long with a long list, an object of many keys, or a part that is written already', () => {
    const many = Array.from({ length: 101 }, (_, n) => n);
    for (const long of [many, Object.fromEntries(many.map((n) => [n, n])), new ReadyJson('[]')]) {
      expect(isLong({ long })).toBe(true);
      expect(isLong({ in: { another: { long } } })).toBe(true);
      expect(isLong({ within: [{ long }] })).toBe(true);
    }
  });

  it('holds ready parts as they are, and leaves out what is undefined', async () => {
    const answer = { result: 'success', many: new ReadyJson('[{"a":1}]'), 'na"me': { b: [null] }, none: undefined };
    expect(await textOf(answer)).toBe('{"result":"success","many":[{"a":1}],"na\\"me":{"b":[null]}}');
    expect(await textOf({ none: undefined, list: [undefined] })).toBe('{"list":[null]}');
  });

  it('is the same JSON whether it is written at once or in pieces', async () => {
    const item = fc.oneof(
      { maxDepth: 3 },
      fc.jsonValue(),
      fc.constant(undefined),
      fc.array(fc.nat(), { minLength: 101 }),
    );
    const list = fc.array(item, { maxLength: 300, size: 'max' });
    const answers = fc.record({ list, deep: fc.record({ list }), text: fc.string({ unit: 'binary' }), item });
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        expect(await textOf(answer)).toBe(JSON.stringify(answer));
        expect(await textOf({ ready: new ReadyJson(JSON.stringify(answer)) })).toBe(JSON.stringify({ ready: answer }));
      }),
      { numRuns: 50 },
    );
  });

  it('is written in pieces of a bounded length, wherever it is long', async () => {
    const longest = Array.from({ length: 20_000 }, (_, n) => n);
    const answers = [
      { users: longest.map((user_id) => ({ user_id, full_name: '😀'.repeat(50) })) },
      { groups: [{ members: longest }, { members: longest }] },
      { unread: { streams: longest.map((n) => ({ ids: [n, n] })) } },
      { names: Object.fromEntries(longest.map((n) => [`user${n}@example.com`, ['a channel', 'another']])) },
      { ready: new ReadyJson(`"${'😀'.repeat(500_000)}"`) },
      { ready: new ReadyJson(`"a${'😀'.repeat(500_000)}"`) },
    ];
    for (const answer of answers) {
      const run = jest.spyOn(longWork, 'run');
      const text = await textOf(answer);
      const lengths = await Promise.all(
        run.mock.results.map(async ({ value }) => lengthOf((await value) as { result: Buffer })),
      );
      run.mockRestore();
      expect(text).toBe(JSON.stringify(answer));
      expect(Math.max(...lengths)).toBeLessThan(4 * 66_000);
      expect(lengths.length).toBeGreaterThan(text.length / 66_000);
    }
  });
});

const lengthOf = ({ result }: { result: Buffer }): number => result.length;
