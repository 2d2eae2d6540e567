import type { WakeUps } from '@annals/kernel';
import type { Clock, RealmId } from '@annals/kernel/domain';

/** That a stream is the one of a worker of a consumer. */
export interface StreamClaim {
  readonly consumer: number;
  readonly worker: string;
  readonly stream: string;
  /** When it began, in ms. Where the clocks of processes disagree, a later claim still gets a higher number. */
  readonly at: number;
}

/** The signal to all processes that a stream of a worker began. */
const BEGAN = 'consumers.stream-began';

/** Whether one claim ends the stream of the other. */
export const isLaterClaim = (one: StreamClaim, other: StreamClaim): boolean =>
  one.at === other.at ? one.stream > other.stream : one.at > other.at;

/** Notifies all processes which stream of a worker is the newest, since it has one. */
export class StreamClaims {
  private latest = 0;
  private readonly unsubscribe: () => void;

  /** @param onClaim a stream of a worker began, perhaps in this process */
  constructor(
    private readonly wakeUps: Pick<WakeUps, 'broadcast' | 'onSignal'>,
    private readonly clock: Clock,
    onClaim: (realmId: RealmId, claim: StreamClaim) => void,
  ) {
    this.unsubscribe = wakeUps.onSignal(BEGAN, (realmId, payload) => {
      const claim = payload as unknown as StreamClaim;
      this.latest = Math.max(this.latest, claim.at);
      onClaim(realmId, claim);
    });
  }

  /** A claim that is later than all that are known. */
  next(of: Omit<StreamClaim, 'at'>): StreamClaim {
    this.latest = Math.max(this.clock.now(), this.latest + 1);
    return { ...of, at: this.latest };
  }

  announce(realmId: RealmId, claim: StreamClaim): void {
    this.wakeUps.broadcast(BEGAN, realmId, { ...claim });
  }

  /** Stops listening. */
  close(): void {
    this.unsubscribe();
  }
}
