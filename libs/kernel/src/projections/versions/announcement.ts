import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { Clock, Instant } from '../../domain/index';
import { Repeated } from '../../work/repeated';
import type { Projection } from '../definition/define';
import type { LiveModels } from '../inline/live-models';

/** The versions of read models that a process is written for, by name; what is missing it does not know. */
export type Declared = Readonly<Record<string, number>>;

/** How often a process says that it is there, in ms. */
const RENEW_MS = 2_000;
/** How long it counts as being there after it said so last, in ms. */
export const BELIEVED_MS = 30_000;
/** Longer between two times, in ms, and it may have been away from the database, and others with it. */
const GAP_MS = 10_000;

export const declaredBy = (projections: readonly Projection[]): Declared =>
  Object.fromEntries(projections.map(({ name, version }) => [name, version]));

/**
 * The versions that the processes which are there are written for. After an outage of the database none of them has said
 * so for a while: who has not been heard of counts as gone only for those who had as long to be heard themselves.
 *
 * @param steadySince since when the process that asks has said without a gap that it is there; null when it has not
 */
export async function announced(
  client: ClientBase | Pool,
  now: Instant,
  steadySince: Instant | null,
): Promise<Declared[]> {
  const { rows } = await client.query<{ declared: Declared }>(
    'SELECT read_models AS declared FROM processes WHERE seen_at > $1',
    [isSteady(now, steadySince) ? now - BELIEVED_MS : 0],
  );
  return rows.map(({ declared }) => declared);
}

const isSteady = (now: Instant, since: Instant | null): boolean => since !== null && now - since >= BELIEVED_MS;

interface Deps {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly models: Pick<LiveModels, 'note' | 'now' | 'alone'>;
}

/**
 * Says that this process is there, and for which versions of read models it is written: as long as it is, they stay
 * live. What it hears back tells it when they are live no more.
 */
export class Announcement {
  private readonly id = randomUUID();
  private readonly renewals = new Repeated(RENEW_MS, () => this.renew().catch(() => undefined));
  /** The first and the last time, without a gap between, that it said so. */
  private said: { readonly since: Instant; readonly last: Instant } | null = null;

  constructor(
    private readonly deps: Deps,
    private readonly app: string,
    private readonly declared: readonly Projection[],
  ) {}

  /** Since when it has said without a gap that it is there; null when it has not lately. */
  get steadySince(): Instant | null {
    const { said } = this;
    return said !== null && this.deps.clock.now() - said.last <= GAP_MS ? said.since : null;
  }

  /** Resolves when it has been said once. @throws Error when PostgreSQL cannot be reached */
  async start(): Promise<void> {
    await this.say();
    this.renewals.start();
  }

  /** Takes it back. */
  async stop(): Promise<void> {
    await this.renewals.stop();
    // Whoever cannot say so is believed to be there for a while.
    await this.deps.pool.query('DELETE FROM processes WHERE id = $1', [this.id]).catch(() => undefined);
  }

  /** Also tells whether what this code reads and writes is still live. */
  private async renew(): Promise<void> {
    await this.say();
    const { models } = this.deps;
    if (models.alone === null) await models.now();
  }

  /** Says it once. @throws Error when PostgreSQL cannot be reached */
  async say(): Promise<void> {
    const { pool, clock, models } = this.deps;
    const now = clock.now();
    const since = this.steadySince ?? now;
    const { rows } = await pool.query<{ edition: number }>(
      `WITH gone AS (DELETE FROM processes WHERE seen_at < $5),
        said AS (INSERT INTO processes (id, app, read_models, seen_at) VALUES ($1, $2, $3, $4)
          ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at)
       SELECT read_models AS edition FROM installation`,
      [
        this.id,
        this.app,
        JSON.stringify(declaredBy(this.declared)),
        now,
        isSteady(now, since) ? now - 100 * BELIEVED_MS : 0,
      ],
    );
    this.said = { since, last: now };
    models.note(rows[0]?.edition ?? 0);
  }
}
