import type { TestServer } from '../server/server';

/** The newest token with which somebody may join, as a mail or an administrator would give it. */
export async function latestToken(
  { kernel }: Pick<TestServer, 'kernel'>,
  purpose: 'invitation' | 'registration',
): Promise<string> {
  const { rows } = await kernel.database.pool.query<{ value: Buffer }>(
    `SELECT value FROM secrets WHERE kind = $1 ORDER BY split_part(id, '-', 2)::int DESC LIMIT 1`,
    [purpose],
  );
  if (!rows[0]) throw new Error(`there is no ${purpose}`);
  return rows[0].value.toString();
}
