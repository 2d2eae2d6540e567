import type { Position, RealmId } from '../domain/index';
import { Overloaded } from '../log/errors';

/**
 * The history that a process began with. A restore from a backup, or a failover to a replica that lagged, takes
 * positions back and they are given again; then whatever a process remembers by position (facts, client events, texts)
 * is of a history that is no more. It is not sorted out: from then on the process refuses to serve, and has to start
 * again.
 */
export class History {
  /** Resolves with the reason when the history is no more. */
  readonly takenBack: Promise<string>;
  private reason: string | null = null;
  private tell: (reason: string) => void = () => undefined;

  /** @param installation id of the installation as the process found it; `annals restored` gives a new one */
  constructor(readonly installation: string) {
    this.takenBack = new Promise((resolve) => (this.tell = resolve));
  }

  /** @throws Overloaded from the first time on that the installation is another one */
  ensureSame(installation: string): void {
    if (installation !== this.installation) this.end('the operator said that the database was restored');
    this.ensureThere();
  }

  /**
   * @param known positions that existed before the heads were asked for
   * @throws Overloaded from the first time on that a log ends before one of them
   */
  ensureReached(known: ReadonlyMap<RealmId, Position>, heads: ReadonlyMap<RealmId, Position>): void {
    for (const [realmId, position] of known) {
      const head = heads.get(realmId) ?? 0;
      if (head < position) this.end(`the log of realm ${realmId} ends at ${head}, it was at ${position} before`);
    }
    this.ensureThere();
  }

  /** Why the history is no more; null while all is well. For health and metrics. */
  get lost(): string | null {
    return this.reason;
  }

  /**
   * For whoever looked for an event that this process has read before. What can be read is durable, so only a restore
   * takes it away, never a crash.
   * @throws Overloaded from the first time on that the log does not hold such an event any more
   */
  ensureHeld(isHeld: boolean, realmId: RealmId, position: number): void {
    if (!isHeld) this.end(`the log of realm ${realmId} does not hold the event that was at ${position} before`);
    this.ensureThere();
  }

  private end(reason: string): void {
    this.reason ??= reason;
    this.tell(this.reason);
  }

  private ensureThere(): void {
    if (this.reason !== null)
      throw new Overloaded(`the log was taken back, this process has to start again: ${this.reason}`);
  }
}
