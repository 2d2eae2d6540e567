import type { ConsumerEvent } from '../../../read/reading/cloud-event';
import type { SinkTarget } from '../../../domain/sink/sink-target';
import type { SinkCredential } from '../../../application/sink/sink-credentials';

/** Why an engine did not take events, in one sentence for who manages the consumer. It has no secret in it. */
export class SinkFault extends Error {}

/** A connection to an engine. After a fault it is closed, and there must be a new one. */
export interface SinkConnection {
  /** False once the engine has ended it, as far as this process knows. */
  readonly isOpen: boolean;
  /**
   * Stores events. When it resolves, the engine has stored all of them; when it throws, perhaps some. Those with one key are
   * stored in their order.
   *
   * @throws SinkFault
   */
  store(events: readonly ConsumerEvent[]): Promise<void>;
  close(): Promise<void>;
}

/** What a connection is made with. */
export interface SinkAccess {
  readonly target: SinkTarget;
  readonly credential: SinkCredential | null;
  /** The checked addresses of a name. @throws SinkFault for one that this server may not connect to */
  readonly addressesOf: (host: string, isEncrypted: boolean) => Promise<readonly string[]>;
}

/** When a batch must end: sooner than the lease of its consumer. */
const MOST_MS = 20_000;

/** Ends a batch between two of its parts when it takes too long. The next attempt begins with it again. */
export class BatchTime {
  private readonly started = performance.now();

  /** @throws SinkFault */
  ensureLeft(): void {
    if (performance.now() - this.started > MOST_MS) throw new SinkFault('It took too long to store the events');
  }
}

/** Connects to an engine. @throws SinkFault */
export type ConnectSink = (access: SinkAccess) => Promise<SinkConnection>;

const LONGEST_REASON = 300;

/** The fault behind an error of a client library. */
export function faultOf(error: unknown, doing: string): SinkFault {
  if (error instanceof SinkFault) return error;
  const told = error instanceof Error ? error.message || error.name : String(error);
  return new SinkFault(`${doing}: ${told.replace(/\s+/g, ' ').slice(0, LONGEST_REASON)}`, { cause: error });
}
