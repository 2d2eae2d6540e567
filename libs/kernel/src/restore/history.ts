import type { Position, RealmId } from '../domain/index';
import { Overloaded } from '../log/errors';

/**
 * The history that a process began with. A restore from a backup, or a failover to a replica that lagged, takes
 * positions back, and other events get them. Then everything that a process has cached by position (facts, client
 * events, texts) is of a history that no longer exists. The process does not sort it out: from then on it refuses to
 * serve, and has to be restarted.
 */
export class History {
  /** Resolves with the reason when the history no longer exists. */
  readonly takenBack: Promise<string>;
  private reason: string | null = null;
  private resolveTakenBack: (reason: string) => void = () => undefined;

  /** @param installation id of the installation that the process found. `annals restored` sets a new one */
  constructor(readonly installation: string) {
    this.takenBack = new Promise((resolve) => (this.resolveTakenBack = resolve));
  }

  /** @throws Overloaded from the first time that the installation is another one */
  ensureSame(installation: string): void {
    if (installation !== this.installation) this.end('the operator said that the database was restored');
    this.ensureThere();
  }

  /**
   * @param known positions that existed before the heads were read
   * @throws Overloaded from the first time that a log ends before one of them
   */
  ensureReached(known: ReadonlyMap<RealmId, Position>, heads: ReadonlyMap<RealmId, Position>): void {
    for (const [realmId, position] of known) {
      const head = heads.get(realmId) ?? 0;
      if (head < position) this.end(`the log of realm ${realmId} ends at ${head}, it was at ${position} before`);
    }
    this.ensureThere();
  }

  /** Why the history no longer exists. Null in normal operation. For health and metrics. */
  get lost(): string | null {
    return this.reason;
  }

  /**
   * For a caller that looked for an event that this process has read before. What can be read is durable, so only a
   * restore removes it, never a crash.
   *
   * @throws Overloaded from the first time that the log does not contain such an event
   */
  ensureContains(isHeld: boolean, realmId: RealmId, position: number): void {
    if (!isHeld) this.end(`the log of realm ${realmId} does not hold the event that was at ${position} before`);
    this.ensureThere();
  }

  private end(reason: string): void {
    this.reason ??= reason;
    this.resolveTakenBack(this.reason);
  }

  private ensureThere(): void {
    if (this.reason !== null)
      throw new Overloaded(`the log was taken back, this process has to start again: ${this.reason}`);
  }
}
