import { Memory } from '@annals/kernel';
import { randomUUID } from 'node:crypto';
import type { Clock, RealmId } from '@annals/kernel/domain';
import type { WakeUps } from '@annals/kernel';

/** About what one remembered poll takes, and all of them may, in bytes: more than 100,000. */
const TURN_BYTES = 100;
const MAX_BYTES = 64_000_000;
/** Tells all processes that a poll of a queue began in a process that did not have the one before it. */
const TAKEN = 'feed.queue-taken';

/** When a poll began, in ms, counted on where clocks of processes disagree: a later one has a higher turn. */
interface Turn {
  readonly at: number;
  readonly process: string;
}

const isLater = (one: Turn, other: Turn): boolean =>
  one.at === other.at ? one.process > other.process : one.at > other.at;

/**
 * Of the polls that several processes hold for one queue, the newest stays (contract/realtime.md section 1). A process
 * that had a queue's last poll too says nothing about the next one, so clients that stay with a process cost no signal.
 * A signal that is lost leaves the older poll to its heartbeat.
 */
export class Turns {
  private readonly process = randomUUID();
  /** By organization and queue: the polls that this process remembers as its own. */
  private readonly own = new Memory(MAX_BYTES).section<Turn>();
  private latest = 0;
  private readonly unsubscribe: () => void;

  /** @param onLost another process has a newer poll of this queue */
  constructor(
    private readonly wakeUps: Pick<WakeUps, 'signal' | 'onSignal'>,
    private readonly clock: Clock,
    private readonly onLost: (realmId: RealmId, queueId: string) => void,
  ) {
    this.unsubscribe = wakeUps.onSignal(TAKEN, (realmId, payload) => {
      const { queueId, ...turn } = payload as unknown as Turn & { readonly queueId: string };
      if (turn.process !== this.process) this.hear(realmId, queueId, turn);
    });
  }

  /** A poll begins in this process. */
  take(realmId: RealmId, queueId: string): void {
    const last = this.own.get(realmId, queueId);
    const turn = { at: Math.max(this.clock.now(), last?.at ?? this.latest + 1), process: this.process };
    this.latest = Math.max(this.latest, turn.at);
    this.own.set(realmId, queueId, turn, TURN_BYTES);
    if (!last) this.tell(realmId, queueId, turn);
  }

  /** This process hears no more of the realm, so it cannot know who has its queues now. */
  forget(realmId: RealmId): void {
    this.own.forget(realmId);
  }

  /** Hears nothing more. */
  close(): void {
    this.unsubscribe();
  }

  private hear(realmId: RealmId, queueId: string, turn: Turn): void {
    this.latest = Math.max(this.latest, turn.at);
    const own = this.own.get(realmId, queueId);
    if (own && isLater(own, turn)) {
      // The other process cannot know of a poll that began here without a signal.
      this.tell(realmId, queueId, own);
      return;
    }
    this.own.delete(realmId, queueId);
    this.onLost(realmId, queueId);
  }

  private tell(realmId: RealmId, queueId: string, turn: Turn): void {
    this.wakeUps.signal(TAKEN, realmId, { queueId, ...turn });
  }
}
