import type { Kernel } from '@annals/kernel';
import { Redis } from 'ioredis';
import type { Secret } from './secret-finder';
import { SecretFinder } from './secret-finder';
import { secrets } from './secrets';

/** Something that was written down, and where. */
export type NamedText = readonly [name: string, text: string];

/** The table in which secrets may be stored: as digests, and as they are if requests are signed with them. */
const KEPT = 'public.secrets';

/** Where a server keeps what. */
export interface Looked {
  readonly kernel: Kernel;
  readonly redisUrl: string | undefined;
  /** Logs, metrics and all other output. */
  readonly outputs: readonly NamedText[];
}

/**
 * Searches for every secret of this spec file in everything that a server has written: each table of its database, its
 * keys in Redis, its logs and metrics, and the refusals that it sent. The contents of the table of secrets (digests,
 * hashes, signing keys) must not occur elsewhere either.
 *
 * @returns what was found and where. Nothing if all is well
 */
export async function leaks({ kernel, redisUrl, outputs }: Looked): Promise<string[]> {
  const plain = new SecretFinder(secrets);
  const digested = new SecretFinder([...secrets].filter(({ isStored }) => isStored !== true));
  const kept = new SecretFinder(await keptSecrets(kernel));
  const found: string[] = [];
  for (const [place, text] of [
    ...(await storedTexts({ kernel, redisUrl })),
    ...outputs,
    ['refusals and complaints', secrets.takeOutputs()] as const,
  ]) {
    const bytes = Buffer.from(text);
    const here = place === KEPT ? digested.in(bytes) : [...plain.in(bytes), ...kept.in(bytes)];
    found.push(...here.map((secret) => `${place}: ${secret}`));
  }
  return found;
}

/** Every table of a server's database and every key in Redis, as text. */
export async function storedTexts({ kernel, redisUrl }: Omit<Looked, 'outputs'>): Promise<NamedText[]> {
  return [...(await tablesOf(kernel)), ...(redisUrl === undefined ? [] : await redisOf(redisUrl, kernel.prefix))];
}

async function keptSecrets(kernel: Kernel): Promise<Secret[]> {
  const { rows } = await kernel.database.pool.query<{ id: string; value: Buffer }>('SELECT id, value FROM secrets');
  return rows.map(({ id, value }) => ({ name: id, bytes: value }));
}

/**
 * Every row of every table as JSON, in which JSON is not changed. Bytes are in hex there. Most tables have no pages and
 * so no rows, and to ask them would take longer than everything else here.
 */
async function tablesOf({ database }: Kernel): Promise<NamedText[]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND pg_relation_size(c.oid) > 0
    ORDER BY 1`);
  const each = tables.map(
    ({ name }) => `SELECT coalesce(string_agg(row_to_json(t)::text, E'\\n'), '') AS rows FROM ${name} t`,
  );
  const answers = await database.pool.query<{ rows: string }>(each.join(';'));
  const all = answers as unknown as (typeof answers)[];
  return tables.map(({ name }, n) => [name, all[n]?.rows[0]?.rows ?? ''] as const);
}

/** Every key of one installation with its value. */
async function redisOf(url: string, prefix: string): Promise<NamedText[]> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
  } catch {
    return []; // It was a spec's own, and has ended.
  }
  try {
    const places: NamedText[] = [];
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
      for (const key of keys as string[]) places.push([`Redis ${key}`, `${key}\n${await valueOf(redis, key)}`]);
    }
    return places;
  } finally {
    redis.disconnect();
  }
}

async function valueOf(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.smembers(key));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    default:
      return ''; // It was deleted meanwhile.
  }
}
