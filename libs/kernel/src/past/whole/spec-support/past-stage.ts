import { Erasures } from '../../../erasure/erasures';
import type { FactOf, Instant, Position, RealmId, Recorded } from '../../../domain/index';
import { defineEvent, fact, t } from '../../../domain/index';
import { defineContext } from '../../../contexts/define-context';
import type { Kernel } from '../../../kernel';
import { defineProjection, on } from '../../../projections/definition/define';
import { note, toyContext } from '../../../spec-support/toy-context';
import type { ToyKernel } from '../../../spec-support/toy-kernel';
import { openToyKernel, realm, system } from '../../../spec-support/toy-kernel';
import type { PastOptions } from '../past';
import { openPastKernel, withPast } from '../past';
import { PastBuild } from '../past-build';
import { openPast, withPastLock } from '../pasts';

const Written = defineEvent('memo.Written', {
  data: t.Object({ memo: t.Integer() }),
  sealed: t.Object({ text: t.String() }),
});
type Written = FactOf<typeof Written>;
const Dropped = defineEvent('memo.Dropped', {
  data: t.Object({ memo: t.Integer() }),
  erases: ({ memo }) => [['stream', `memo-${memo}`]],
});
type Dropped = FactOf<typeof Dropped>;

const memos = defineProjection({
  name: 'memos',
  version: 1,
  lifecycle: 'background',
  tables: { memos: { columns: { memo: 'int8', text: 'text' }, key: ['memo'], sealed: ['text'] } },
  handlers: [
    on(Written, ({ data, sealed }: Recorded<Written>, rows) =>
      rows.insert('memos', { memo: data.memo, text: sealed === 'erased' ? null : sealed.text }),
    ),
    on(Dropped, ({ data }: Recorded<Dropped>, rows) => rows.delete('memos', { memo: data.memo })),
  ],
});
const memoContext = defineContext({ name: 'memo', events: [Written, Dropped], projections: [memos] });

/** A log with notes and memos, of which specs show the past. */
export class PastStage {
  private constructor(private readonly toy: ToyKernel) {}

  static async open(): Promise<PastStage> {
    return new PastStage(await openToyKernel({ contexts: [toyContext, memoContext], realms: 2, poolSize: 8 }));
  }

  get live(): Kernel {
    return this.toy.kernel;
  }

  get clock(): ToyKernel['clock'] {
    return this.toy.clock;
  }

  close(): Promise<void> {
    return this.toy.close();
  }

  write(memo: number, text: string): Promise<void> {
    return this.append(`memo-${memo}`, fact(Written, { memo }, { text }));
  }

  drop(memo: number): Promise<void> {
    return this.append('drops', fact(Dropped, { memo }));
  }

  /** Appends notes, each by itself. */
  async notes(count: number, realmId: RealmId = realm): Promise<void> {
    for (let n = 1; n <= count; n++) await this.append(`note-${realmId}-${n}`, note(`note ${n}`), realmId);
  }

  /** What is read of a past; it ends then. */
  async look<T>(options: PastOptions, read: (past: Kernel) => Promise<T>): Promise<T[]> {
    const found: T[] = [];
    const end = new AbortController();
    await withPast(this.live, { ...options, signal: end.signal }, async (past) => {
      found.push(await read(past));
      end.abort();
    });
    return found;
  }

  /** Names of the schemas of pasts. */
  async schemas(): Promise<string[]> {
    const { rows } = await this.live.database.pool.query<{ name: string }>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'past%' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  /** Brings all followers to the head. */
  async follow(): Promise<void> {
    const runner = await this.live.follow();
    do {
      await runner.poll();
      await runner.settled();
    } while ((await this.live.lags()).some(({ behind }) => behind > 0));
    await runner.stop();
  }

  /** Erases all that is ordered, once it is in the index of subjects. */
  async erase() {
    await this.follow();
    return new Erasures(this.live).sweep(this.clock.now());
  }

  /** A process that builds a past and is killed after so many pages of one event. */
  async killedAfter(pages: number, position: number): Promise<void> {
    const { database, projections, clock } = this.live;
    const options = pastAt(position);
    await withPastLock(database, options, async () => {
      await openPast(database, options, projections, clock);
      const past = await openPastKernel(this.live, options, clock);
      let read = 0;
      const build = new PastBuild(options, {
        database: past.database,
        source: past.events.skippingUnknown(),
        clock,
        projections: past.projections,
        pageSize: 1,
        onProgress: () => {
          if (++read === pages) throw new Error('killed');
        },
      });
      await expect(build.run()).rejects.toThrow('killed');
      await past.close();
    });
  }

  private append(stream: string, one: Written | Dropped | ReturnType<typeof note>, realmId = realm): Promise<void> {
    return this.live.work.run(system(realmId), async (work) => work.append(stream, [one]));
  }
}

export const pastAt = (position: number, more: Partial<PastOptions> = {}): PastOptions => ({
  realmId: realm,
  position: position as Position,
  at: Date.UTC(2020, 0, 1) as Instant,
  signal: new AbortController().signal,
  poolSize: 4,
  ...more,
});

/** Texts of the notes that a kernel has. */
export async function textsOf({ database }: Kernel): Promise<string[]> {
  const { rows } = await database.pool.query<{ text: string }>('SELECT text FROM view.toy_notes ORDER BY note_id');
  return rows.map(({ text }) => text);
}

export const memosOf = async ({ database }: Kernel): Promise<unknown[]> =>
  (await database.pool.query<object>('SELECT memo, text FROM view.memos ORDER BY memo')).rows;
