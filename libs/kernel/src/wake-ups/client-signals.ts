import type { ClientEvent, Clock, Instant, Position, RealmId } from '../domain/index';
import type { Tail } from '../facts/tail';
import type { Json } from './notice';
import type { WakeUps } from './wake-ups';

/** A client event that is never stored, with the moment of the log at which it came about: its audience is of then. */
export interface ClientSignal extends ClientEvent {
  readonly position: Position;
  readonly at: Instant;
}

const NAME = 'client-event';

/**
 * Tells clients of something that nobody wants to replay (typing, presence): it goes by the wake-ups to the polls that
 * wait in all processes. Nothing is written, and it may be lost.
 */
export class ClientSignals {
  constructor(
    private readonly wakeUps: Pick<WakeUps, 'broadcast' | 'onSignal'>,
    private readonly tail: Pick<Tail, 'known'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends to those whom the audience names where this process stands in the log: as far as the request that sends it has
   * been fenced.
   *
   * @param event small: ids, and words only where nothing of the log has them
   * @throws SignalTooLarge for what does not fit into a wake-up
   */
  send(realmId: RealmId, event: ClientEvent): void {
    const position = this.tail.known([realmId]).get(realmId);
    if (position === undefined) throw new Error(`this process has not heard of realm ${realmId} yet`);
    const signal: ClientSignal = { ...event, position, at: this.clock.now() };
    this.wakeUps.broadcast(NAME, realmId, signal as unknown as Json);
  }

  /** @returns a function that ends the subscription */
  onSignal(listener: (realmId: RealmId, signal: ClientSignal) => void): () => void {
    return this.wakeUps.onSignal(NAME, (realmId, payload) => listener(realmId, payload as unknown as ClientSignal));
  }
}
