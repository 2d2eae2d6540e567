import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { Clock, Instant } from '../../domain/index';
import { Repeated } from '../../work/repeated';
import type { Projection } from '../definition/define';
import type { LiveModels } from '../inline/live-models';

/** The versions of read models that a process needs, by name. It does not know other read models. */
export type Declared = Readonly<Record<string, number>>;

/** Interval in ms at which a process announces itself. */
const RENEW_MS = 2_000;
/** Time in ms for which a process counts as running after its last announcement. */
export const BELIEVED_MS = 30_000;
/**
 * After a longer time in ms between two announcements, the process may have been cut off from the database, and others
 * with it.
 */
const GAP_MS = 10_000;

export const declaredBy = (projections: readonly Projection[]): Declared =>
  Object.fromEntries(projections.map(({ name, version }) => [name, version]));

/**
 * The versions that the running processes need. After an outage of the database, no process has announced itself for a
 * while. So a silent process counts as gone only for processes that have announced themselves for long enough.
 *
 * @param steadySince the time since which the asking process has announced itself without a gap; null if it has not
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
 * Announces that this process runs and which versions of read models it needs. They stay live while it runs. The answer
 * shows when they are no longer live.
 */
export class Announcement {
  private readonly id = randomUUID();
  private readonly renewals = new Repeated(RENEW_MS, () => this.renew().catch(() => undefined));
  /** The first and the last announcement of a series without a gap. */
  private said: { readonly since: Instant; readonly last: Instant } | null = null;

  constructor(
    private readonly deps: Deps,
    private readonly app: string,
    private readonly declared: readonly Projection[],
  ) {}

  /** The time since which it has announced itself without a gap; null if it has not recently. */
  get steadySince(): Instant | null {
    const { said } = this;
    return said !== null && this.deps.clock.now() - said.last <= GAP_MS ? said.since : null;
  }

  /** Resolves after the first announcement. @throws Error if PostgreSQL cannot be reached */
  async start(): Promise<void> {
    await this.say();
    this.renewals.start();
  }

  /** Withdraws the announcement. */
  async stop(): Promise<void> {
    await this.renewals.stop();
    // A process that cannot withdraw it counts as running for a while.
    await this.deps.pool.query('DELETE FROM processes WHERE id = $1', [this.id]).catch(() => undefined);
  }

  /** Also checks whether the versions of this code are still live. */
  private async renew(): Promise<void> {
    await this.say();
    const { models } = this.deps;
    if (models.alone === null) await models.now();
  }

  /** Announces once. @throws Error if PostgreSQL cannot be reached */
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
