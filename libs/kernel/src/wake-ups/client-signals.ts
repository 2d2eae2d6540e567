import type { ClientEvent, Clock, Instant, Position, RealmId } from '../domain/index';
import type { Tail } from '../facts/tail';
import type { Json } from './notice';
import type { WakeUps } from './wake-ups';

/**
 * A client event that is never stored, with the position of the log when it was sent. Its audience is that of this
 * position.
 */
export interface ClientSignal extends ClientEvent {
  readonly position: Position;
  readonly at: Instant;
}

const NAME = 'client-event';

/**
 * Sends clients what nobody wants to replay (typing, presence), through the wake-ups to the waiting polls of all
 * processes. Nothing is written, and it may be lost.
 */
export class ClientSignals {
  constructor(
    private readonly wakeUps: Pick<WakeUps, 'broadcast' | 'onSignal'>,
    private readonly tail: Pick<Tail, 'known'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends to the audience at the position that this process has reached: as far as the fence of the request.
   *
   * @param event small: ids, and texts only if they are nowhere in the log
   * @throws SignalTooLarge for what does not fit into a wake-up
   */
  send(realmId: RealmId, event: ClientEvent): void {
    const position = this.tail.known([realmId]).get(realmId);
    if (position === undefined) throw new Error(`this process does not know realm ${realmId} yet`);
    const signal: ClientSignal = { ...event, position, at: this.clock.now() };
    this.wakeUps.broadcast(NAME, realmId, signal as unknown as Json);
  }

  /** @returns a function that ends the subscription */
  onSignal(listener: (realmId: RealmId, signal: ClientSignal) => void): () => void {
    return this.wakeUps.onSignal(NAME, (realmId, payload) => listener(realmId, payload as unknown as ClientSignal));
  }
}
