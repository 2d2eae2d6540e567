import type { RealmId } from '../domain/index';
import type { Kernel } from '../kernel';
import { CoalescedRuns } from '../work/coalesced-runs';
import { KeyedLimit } from '../work/keyed-limit';
import type { PeriodicSweep } from '../sweeps/periodic-sweep';
import type { DueRealms, DueSearch } from './due-realms';
import { QueuedSweep } from './queued-sweep';

/** Pages of organizations that one process works on at a time. */
const AT_ONCE = 8;

/**
 * Periodic work of organizations that the jobs of a queue bring forward. Each organization has passes of its own, which
 * sweeps and jobs only begin. So nobody waits for the end of a pass, however much is due in an organization. The pages
 * of all passes take turns.
 */
export abstract class RealmSweep extends QueuedSweep {
  private readonly passes = new CoalescedRuns<RealmId>((realmId) => this.pass(realmId));
  /** The last pass of each organization that a sweep or a job began. */
  private readonly begun = new Map<RealmId, Promise<unknown>>();
  private readonly turns: KeyedLimit;
  private readonly searches: Pick<DueRealms, 'find'>;
  /** Rarer work on the same rows, which begins and ends together with this. */
  protected readonly upkeep: PeriodicSweep | null = null;

  /**
   * @param everyMs from one sweep to the next
   * @param warning logged with the error when a sweep or a pass fails
   * @param atOnce pages that are worked on at a time
   */
  constructor(everyMs: number, kernel: Pick<Kernel, 'options' | 'queues' | 'due'>, warning: string, atOnce = AT_ONCE) {
    super(everyMs, kernel, warning);
    this.searches = kernel.due;
    this.turns = new KeyedLimit(atOnce);
  }

  override start(): void {
    this.upkeep?.start();
    super.start();
  }

  override async stop(): Promise<void> {
    this.isStopping = true;
    await super.stop();
    await this.passes.stop();
    await this.upkeep?.stop();
  }

  /** Resolves when everything that was due is done. */
  override async sweep(): Promise<void> {
    await super.sweep();
    await Promise.all(this.begun.values());
  }

  /** Does what is due in an organization. A call during a pass causes another pass. */
  catchUp(realmId: RealmId): Promise<void> {
    return this.passes.run(realmId);
  }

  /** Looks for organizations with work, and waits for none of them. */
  protected override regular(): Promise<void> {
    return super.sweep();
  }

  protected override async everywhere(): Promise<void> {
    for (const realmId of await this.searches.find(this.search)) this.launch(realmId);
  }

  /** Begins a pass, for a job. An organization whose pass fails is found again by the next sweep. */
  protected launch(realmId: RealmId): void {
    const pass = this.isolated({ realm: realmId }, () => this.catchUp(realmId)).finally(
      () => this.begun.get(realmId) === pass && this.begun.delete(realmId),
    );
    this.begun.set(realmId, pass);
  }

  /**
   * Runs the pages of a pass, each when it is the turn of its organization.
   *
   * @param page returns false if nothing more is due
   */
  protected async eachPage(page: () => Promise<boolean>): Promise<void> {
    // Whoever waited for a turn while this process began to stop does not begin a page any more.
    const next = async () => !this.isStopping && (await page());
    while (await this.turns.run('', next)) continue;
  }

  /** Finds the organizations in which something is due. */
  protected abstract readonly search: DueSearch;

  /** Does what is due in one organization, page by page with `eachPage`. */
  protected abstract pass(realmId: RealmId): Promise<void>;
}
