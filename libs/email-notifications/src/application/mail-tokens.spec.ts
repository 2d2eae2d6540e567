import { defineContext } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../test/support/server/kernel';
import { emailNotificationMigrations, forgetAhead } from '../schema';
import { MailTokens } from './mail-tokens';

const [ONE, OTHER] = [1 as RealmId, 2 as RealmId];

let test: TestKernel;
let tokens: MailTokens;
beforeAll(async () => {
  test = await openTestKernel([defineContext({ name: 'toys', migrations: emailNotificationMigrations })]);
  tokens = new MailTokens(test.kernel);
});
afterAll(() => test.close());

const query = (sql: string) => test.kernel.database.pool.query<Record<string, number>>(sql);

describe('tokens of mails', () => {
  it('stand for a text, in any letter case, and say nothing to another organization', async () => {
    const token = await tokens.sign(ONE, 'um5');
    expect(token).toMatch(/^um5\.[a-z2-7]{16}$/);
    expect(await tokens.textOf(ONE, token)).toBe('um5');
    expect(await tokens.textOf(ONE, token.toUpperCase())).toBe('um5');
    expect(await tokens.textOf(OTHER, token)).toBeNull();
    expect(await tokens.sign(OTHER, 'um5')).not.toBe(token);
  });

  it('are the same in every process, also if two make the key at the same time', async () => {
    const realm = 3 as RealmId;
    const made = await Promise.all([tokens, new MailTokens(test.kernel)].map((one) => one.sign(realm, 'ud7')));
    expect(new Set(made).size).toBe(1);
  });

  it('make no key for an organization that has none when somebody tries one', async () => {
    expect(await tokens.textOf(4 as RealmId, await tokens.sign(ONE, 'um5'))).toBeNull();
    expect((await query('SELECT count(*)::int4 AS n FROM secrets WHERE realm_id = 4')).rows).toEqual([{ n: 0 }]);
  });

  it('are void if one character is another one', async () => {
    const token = await tokens.sign(ONE, 'um5');
    for (let n = 0; n < token.length; n++) {
      const changed = `${token.slice(0, n)}${token.charAt(n) === 'q' ? 'r' : 'q'}${token.slice(n + 1)}`;
      expect(await tokens.textOf(ONE, changed)).toBeNull();
    }
  });
});

describe('a restore', () => {
  it('voids all tokens, and forgets what is about positions that the log has lost', async () => {
    const token = await tokens.sign(ONE, 'um5');
    await query(`INSERT INTO realm_heads (realm_id, position, at) VALUES (1, 100, 0);
      INSERT INTO email_tasks VALUES (1, 100, 100, false, 0, 0, 0, 0), (1, 101, 101, false, 0, 0, 0, 0);
      INSERT INTO missed_messages VALUES (1, 5, 100, 0, 0), (1, 5, 101, 0, 0)`);
    const told = await test.kernel.database.transaction('BEGIN', (client) => forgetAhead(client));
    expect(told).toBe('1 tasks for mails and 1 missed messages dropped');
    expect((await query('SELECT position::int4 AS n FROM email_tasks')).rows).toEqual([{ n: 100 }]);
    expect((await query('SELECT message_id::int4 AS n FROM missed_messages')).rows).toEqual([{ n: 100 }]);
    expect(await tokens.textOf(ONE, token)).toBeNull();
  });
});
