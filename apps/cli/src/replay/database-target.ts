import type { Kernel, StoredEvent } from '@annals/kernel';
import { LogCopy } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { contexts } from '../../../shared/src/contexts';
import { openKernel } from '../../../shared/src/open-kernel';
import type { Settings } from '../../../shared/src/settings';
import { rebuildProgress } from '../rebuild-progress';
import type { ReplayTarget } from './replay-target';

/**
 * An empty database, which becomes an Annals of its own: the events have the same positions and hashes, and all read
 * models are built from them. API keys and passwords are not in the log, so the copy has none.
 */
export class DatabaseTarget implements ReplayTarget {
  private copy: LogCopy | null = null;

  /** @param withWords if not, the copy is like a log whose texts were erased */
  constructor(
    private readonly url: string,
    private readonly realmId: RealmId,
    private readonly source: Kernel,
    private readonly settings: Settings,
    private readonly withWords: boolean,
  ) {}

  async open(resume: boolean, start: number): Promise<number> {
    if (start > 0) throw new Error('A database takes a log from its first event on: leave out --from.');
    const copy = (this.copy = await LogCopy.open(this.url, contexts));
    if (await copy.hasReadModels()) throw new Error('The database is an Annals already: give an empty one.');
    if (!resume && !(await copy.isEmpty())) {
      throw new Error('The database is not empty: continue with --resume, or give an empty one.');
    }
    return copy.position(this.source.database.pool, this.realmId);
  }

  async write(events: readonly StoredEvent[]): Promise<void> {
    const written = this.withWords ? events : events.map((event) => ({ ...event, sealedText: null, salt: null }));
    await this.copy?.write(written);
  }

  async reached(): Promise<void> {}

  async complete(): Promise<string[]> {
    await this.copy?.countFrom(this.source.database.pool, this.realmId);
    const { REDIS_URL: _ofSource, ...settings } = this.settings;
    const kernel = await openKernel(
      { ...settings, DATABASE_URL: this.url, ANNALS_LOG_LEVEL: 'error' },
      { poolSize: 4 },
    );
    try {
      let built: readonly string[] = [];
      await rebuildProgress(kernel).run(async (rebuild) => void (built = await rebuild.upgrade()));
      return [
        `${built.length} read models were built from the log`,
        'The copy has no API keys and no passwords: issue a key with "annals key".',
      ];
    } finally {
      await kernel.close();
    }
  }

  async close(): Promise<void> {
    await this.copy?.close();
  }
}
