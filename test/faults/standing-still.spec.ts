import type { ToyKernel } from '../../libs/kernel/src/spec-support/toy-kernel';
import { openToyKernel } from '../../libs/kernel/src/spec-support/toy-kernel';
import { PostgresProxy } from '../support/faults/postgres-proxy';
import { expectWhole, write } from './appending';

describe('a frozen process', () => {
  let toy: ToyKernel;
  let proxy: PostgresProxy;
  beforeEach(async () => {
    toy = await openToyKernel();
    proxy = await PostgresProxy.open(toy.url);
  });
  afterEach(async () => {
    await toy.close();
    await proxy.close();
  });

  it.each([
    ['between its look and what it writes', 'atNextWrite', {}],
    // A whole transaction gets twice as long as a statement.
    ['in the middle of what it sends', 'atNextCommit', { statementTimeoutMs: 1_500 }],
  ] as const)(
    '%s lets others write to that realm in time, and its own append is stored once',
    async (_, at, options) => {
      const kernel = await toy.another({ databaseUrl: proxy.url, ...options });
      const written = [await write(kernel, 'before')];
      const meanwhile = proxy[at](async () => {
        // No append that waits for the head is refused.
        written.push(await write(toy.kernel, 'meanwhile'));
      });
      const held = write(kernel, 'held');
      await meanwhile;
      written.push(await held);
      expect(await expectWhole(toy, written)).toBe(3);
    },
  );
});
