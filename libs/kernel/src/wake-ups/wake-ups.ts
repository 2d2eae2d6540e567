import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Position, RealmId } from '../domain/index';
import type { Json, Notice, Signal, WakeUpTopic } from './notice';
import { MAX_SIGNAL_BYTES, Pending, pack, sizeOf, unpack } from './notice';

export interface TransportEvents {
  notice(text: string): void;
  /** Listening has begun, for the first time or again; what was sent before is missed. */
  connected(): void;
}

/** How notices travel between processes. It may lose them, it must not hold up anybody. */
export interface WakeUpTransport {
  /** Shortest pause between two sends, in milliseconds; what is published meanwhile is merged. */
  readonly pauseMs: number;
  /** Begins to listen and goes on by itself through every outage. */
  start(on: TransportEvents): void;
  /** Hands texts of at most `MAX_NOTICE_BYTES` to all processes; rejects, within seconds, when they are lost. */
  send(texts: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export type WakeUpListener = (realmId: RealmId, position: Position) => void;
export type SignalListener = (realmId: RealmId, payload: Json) => void;

/** A signal does not fit into one notification (8,000 bytes in PostgreSQL). */
export class SignalTooLarge extends Error {
  override readonly name = 'SignalTooLarge';

  constructor(signal: string, bytes: number) {
    super(`the signal "${signal}" has ${bytes} bytes; at most ${MAX_SIGNAL_BYTES} fit`);
  }
}

/**
 * "Look again": tells all processes that something moved on. There is no truth in it: any notice may be lost, so every
 * listener also looks at the heads by itself, and at once when `onLost` calls. A publish is heard in its own process
 * too, exactly once; another process may hear a notice twice after a lost connection.
 */
export class WakeUps {
  private readonly id = randomUUID();
  private readonly listeners = new Map<WakeUpTopic, Set<WakeUpListener>>();
  private readonly signalListeners = new Map<string, Set<SignalListener>>();
  private readonly lostListeners = new Set<() => void>();
  /** Published in this turn of the event loop. */
  private readonly fresh = new Pending();
  private readonly outgoing = new Pending();
  private sending: Promise<void> | null = null;
  private closed = false;

  constructor(
    private readonly transport: WakeUpTransport,
    private readonly log: Logger,
  ) {
    transport.start({
      notice: (text) => this.hear(text),
      connected: () => {
        for (const listener of this.lostListeners) this.guarded(listener);
      },
    });
  }

  /**
   * Says that a realm has reached a position in a topic. Never throws and never waits for the network; several
   * publishes of one topic and realm in one turn of the event loop carry the highest position.
   */
  publish(topic: WakeUpTopic, realmId: RealmId, position: Position): void {
    this.say({ kind: 'wake-up', topic, realmId, position });
  }

  /** @returns a function that ends the subscription */
  subscribe(topic: WakeUpTopic, listener: WakeUpListener): () => void {
    return addTo(this.listeners, topic, listener);
  }

  /**
   * Called whenever notices may have been missed: after each reconnect, and when the first connection stands. The
   * listener should look at the heads of all realms it cares for. @returns a function that ends the subscription
   */
  onLost(listener: () => void): () => void {
    this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  /**
   * Sends something small that nobody wants to replay (typing, presence) to all processes, this one included. It may
   * be lost. @throws SignalTooLarge when name and payload have more than 7,000 bytes as JSON
   */
  signal(name: string, realmId: RealmId, payload: Json): void {
    const signal: Signal = { kind: 'signal', name, realmId, payload };
    const bytes = sizeOf(signal);
    if (bytes > MAX_SIGNAL_BYTES) throw new SignalTooLarge(name, bytes);
    this.say(signal);
  }

  /** @returns a function that ends the subscription */
  onSignal(name: string, listener: SignalListener): () => void {
    return addTo(this.signalListeners, name, listener);
  }

  /** Sends what was published so far, then hears and says nothing more. */
  async close(): Promise<void> {
    this.flush();
    this.closed = true;
    await this.sending;
    await this.transport.close();
  }

  private say(notice: Notice): void {
    if (this.closed) return;
    if (this.fresh.isEmpty) setImmediate(() => this.flush());
    this.fresh.add(notice);
  }

  private flush(): void {
    const notices = this.fresh.take();
    for (const notice of notices) this.outgoing.add(notice);
    // At most one send is under way; what comes meanwhile is merged and goes with the next.
    if (!this.sending && !this.outgoing.isEmpty) this.sending = this.send();
    for (const notice of notices) this.deliver(notice);
  }

  private async send(): Promise<void> {
    while (!this.outgoing.isEmpty) {
      try {
        await this.transport.send(pack(this.id, this.outgoing.take()));
      } catch (error) {
        this.log.debug({ err: error }, 'wake-ups were lost; the other processes find out by looking at the heads');
      }
      if (this.transport.pauseMs > 0 && !this.closed) await delay(this.transport.pauseMs);
    }
    this.sending = null;
  }

  private hear(text: string): void {
    const heard = unpack(text);
    if (!heard) this.log.warn({ text: text.slice(0, 200) }, 'a wake-up that cannot be read');
    else if (heard.from !== this.id && !this.closed) for (const notice of heard.notices) this.deliver(notice);
  }

  private deliver(notice: Notice): void {
    if (notice.kind === 'signal') {
      const { name, realmId, payload } = notice;
      for (const listener of this.signalListeners.get(name) ?? []) this.guarded(() => listener(realmId, payload));
    } else {
      const { topic, realmId, position } = notice;
      for (const listener of this.listeners.get(topic) ?? []) this.guarded(() => listener(realmId, position));
    }
  }

  private guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.log.error({ err: error }, 'a listener of wake-ups failed');
    }
  }
}

function addTo<Name, Listener>(to: Map<Name, Set<Listener>>, name: Name, listener: Listener): () => void {
  const known = to.get(name) ?? new Set();
  to.set(name, known.add(listener));
  return () => known.delete(listener);
}
