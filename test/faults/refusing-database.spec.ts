import { Overloaded } from '@annals/kernel';
import type { ToyKernel } from '../../libs/kernel/src/spec-support/toy-kernel';
import { openToyKernel, realm } from '../../libs/kernel/src/spec-support/toy-kernel';
import { expectWhole, write } from './appending';
import { postgresOfItsOwn } from './crash';

describe('a database that accepts no writes', () => {
  const url = postgresOfItsOwn();
  let toy: ToyKernel;
  afterEach(() => toy.close());

  const configure = async (statement: string) => {
    const { pool } = toy.kernel.database;
    await pool.query(`ALTER SYSTEM ${statement}`);
    await pool.query('SELECT pg_reload_conf()');
  };
  const untilTrouble = async (expected: (trouble: string | null) => boolean) => {
    while (!expected(toy.kernel.lanes.trouble)) await new Promise(setImmediate);
  };

  it.each([1, 20])(
    'refuses %i appends as overload, reports it, and notices by itself when it is over',
    async (count) => {
      toy = await openToyKernel({ adminUrl: url() });
      const before = await write(toy.kernel, 'before');
      expect(toy.kernel.lanes.trouble).toBeNull();

      await configure('SET default_transaction_read_only = on');
      const refused: unknown[] = [];
      const acknowledged = [before];
      // The server notices it a moment later.
      for (let n = 0; refused.length < count; n++) {
        await write(toy.kernel, `meanwhile ${n}`).then(
          (one) => acknowledged.push(one),
          (error: unknown) => refused.push(error),
        );
      }
      const together = await Promise.allSettled(
        Array.from({ length: count }, (_, n) => write(toy.kernel, `together ${n}`)),
      );
      for (const one of together) refused.push(one.status === 'rejected' ? one.reason : 'written');
      for (const error of refused) expect(error).toBeInstanceOf(Overloaded);
      expect(toy.kernel.lanes.trouble).toContain('the database refuses writes: cannot execute');
      expect(await toy.kernel.events.page(realm, 0, 100)).toHaveLength(acknowledged.length);

      await configure('RESET default_transaction_read_only');
      await untilTrouble((trouble) => trouble === null);
      acknowledged.push(await write(toy.kernel, 'after'));
      await expectWhole(toy, acknowledged);
    },
  );

  it('is noticed by writers beside the log', async () => {
    toy = await openToyKernel({ adminUrl: url() });
    const { pool } = toy.kernel.database;
    await configure('SET default_transaction_read_only = on');
    const beside = () => pool.query('DELETE FROM installation WHERE false');
    while (
      await beside().then(
        () => true,
        () => false,
      )
    );
    expect(toy.kernel.lanes.trouble).toContain('the database refuses writes: cannot execute DELETE');
    await configure('RESET default_transaction_read_only');
    await untilTrouble((trouble) => trouble === null);
    await beside();
    expect(toy.kernel.lanes.trouble).toBeNull();
  });

  it('is in no trouble once a write was taken', async () => {
    toy = await openToyKernel({ adminUrl: url() });
    await configure('SET default_transaction_read_only = on');
    while (toy.kernel.lanes.trouble === null) await write(toy.kernel, 'too early').catch(() => undefined);
    await configure('RESET default_transaction_read_only');
    while (toy.kernel.lanes.trouble !== null) await write(toy.kernel, 'again').catch(() => undefined);
    await write(toy.kernel, 'after');
  });
});
