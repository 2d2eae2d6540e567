import { Memory } from '@annals/kernel';
import { randomUUID } from 'node:crypto';
import type { Clock, RealmId } from '@annals/kernel/domain';
import type { WakeUps } from '@annals/kernel';

/** Rough size of a remembered claim, and the most bytes for all claims: more than 100,000 claims. */
const CLAIM_BYTES = 100;
const MAX_BYTES = 64_000_000;
/** The signal to all processes: a poll of a queue began in a process that did not have the poll before it. */
const TAKEN = 'feed.queue-taken';

/** When a poll began, in ms. Where the clocks of processes disagree, a later claim still gets a higher number. */
interface Claim {
  readonly at: number;
  readonly process: string;
}

const isLater = (one: Claim, other: Claim): boolean =>
  one.at === other.at ? one.process > other.process : one.at > other.at;

/**
 * Which process holds the poll or the stream of a queue: the newest request stays (contract/realtime.md section 1). A
 * process that had the last poll of the queue sends no signal for the next one, so clients that stay with a process cost
 * none. When a signal is lost, the older poll ends with its heartbeat, and the older stream after the next reconnect.
 */
export class PollOwnership {
  private readonly process = randomUUID();
  /** By organization and queue: the claims of this process. */
  private readonly own = new Memory(MAX_BYTES).section<Claim>();
  private latest = 0;
  private readonly unsubscribe: () => void;

  /** @param onLost another process has a newer poll of this queue */
  constructor(
    private readonly wakeUps: Pick<WakeUps, 'signal' | 'onSignal'>,
    private readonly clock: Clock,
    private readonly onLost: (realmId: RealmId, queueId: string) => void,
  ) {
    this.unsubscribe = wakeUps.onSignal(TAKEN, (realmId, payload) => {
      const { queueId, ...claim } = payload as unknown as Claim & { readonly queueId: string };
      if (claim.process !== this.process) this.onClaim(realmId, queueId, claim);
    });
  }

  /** A poll begins in this process. */
  claim(realmId: RealmId, queueId: string): void {
    const last = this.own.get(realmId, queueId);
    const claim = { at: Math.max(this.clock.now(), last?.at ?? this.latest + 1), process: this.process };
    this.latest = Math.max(this.latest, claim.at);
    this.own.set(realmId, queueId, claim, CLAIM_BYTES);
    if (!last) this.announce(realmId, queueId, claim);
  }

  /**
   * Signals may have been lost. A poll ends soon anyway, but an older stream would remain, so the process that has the
   * newer one has to learn of it.
   */
  claimAgain(realmId: RealmId, queueId: string): void {
    const own = this.own.get(realmId, queueId);
    if (own) this.announce(realmId, queueId, own);
  }

  /** A stream has ended here. Its client may continue in a process whose clock is behind. */
  release(realmId: RealmId, queueId: string): void {
    this.own.delete(realmId, queueId);
  }

  /** This process no longer receives signals of the realm, so it cannot know which process has its queues. */
  forget(realmId: RealmId): void {
    this.own.forget(realmId);
  }

  /** Stops listening. */
  close(): void {
    this.unsubscribe();
  }

  private onClaim(realmId: RealmId, queueId: string, claim: Claim): void {
    this.latest = Math.max(this.latest, claim.at);
    const own = this.own.get(realmId, queueId);
    if (own && isLater(own, claim)) {
      // The poll that began here without a signal is newer, and the other process cannot know of it.
      this.announce(realmId, queueId, own);
      return;
    }
    this.own.delete(realmId, queueId);
    this.onLost(realmId, queueId);
  }

  private announce(realmId: RealmId, queueId: string, claim: Claim): void {
    this.wakeUps.signal(TAKEN, realmId, { queueId, ...claim });
  }
}
