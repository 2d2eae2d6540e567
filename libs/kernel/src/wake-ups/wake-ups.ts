import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Position, RealmId } from '../domain/index';
import type { NoticeChannel, Json, Letter, Notice, Share, Signal, WakeUpTopic } from './notice';
import { MAX_SIGNAL_BYTES, Pending, channelOf, letters, realmChannel, noticeSize, unpack } from './notice';

export interface TransportEvents {
  notice(channel: string, text: string): void;
  /** Listening has begun, for the first time or again. What was sent before is missed. */
  connected(): void;
}

/** How notices are sent between processes. A transport may lose them, and must not delay anybody. */
export interface WakeUpTransport {
  /** Shortest pause between two sends, in milliseconds. What is published meanwhile is merged. */
  readonly pauseMs: number;
  /** Connects, and again after every outage. Each connection listens to the channels of its time. */
  start(on: TransportEvents): void;
  /** Listens to a channel. Resolves when it does, or when it cannot now. Within seconds. */
  listen(channel: NoticeChannel): Promise<void>;
  unlisten(channel: NoticeChannel): void;
  /** Sends letters to all processes that listen to their channels. Rejects, within seconds, when they are lost. */
  send(letters: readonly Letter[]): Promise<void>;
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

/** A channel that is listened to, and by how many subscriptions. */
interface Listening {
  count: number;
  readonly stands: Promise<void>;
}

/**
 * "Look again": notifies other processes that something has changed. A notice is never the only source: any of them may
 * be lost, so every listener also reads the heads by itself, and at once when `onLost` runs. The publishing process
 * receives its own notice exactly once. Another process may receive it twice after a lost connection. A process
 * receives only what it listens to: the growth of shares of all logs, the notices of some realms, signals for everybody
 * (decision 24).
 */
export class WakeUps {
  private readonly id = randomUUID();
  private readonly channels = new Map<NoticeChannel, Listening>();
  /** By topic and channel. */
  private readonly listeners = new Map<string, Set<WakeUpListener>>();
  private readonly signalListeners = new Map<string, Set<SignalListener>>();
  private readonly lostListeners = new Set<() => void>();
  /** Published in this turn of the event loop. */
  private readonly fresh = new Pending();
  private readonly outgoing = new Pending();
  private sending: Promise<void> | null = null;
  /** When the last send ended, by `performance.now()`. */
  private sentAt = -Infinity;
  private closed = false;

  constructor(
    private readonly transport: WakeUpTransport,
    private readonly log: Logger,
  ) {
    transport.start({
      notice: (channel, text) => this.hear(channel, text),
      connected: () => {
        for (const listener of this.lostListeners) this.guarded(listener);
      },
    });
  }

  /**
   * Publishes that a realm has reached a position in a topic. Never throws and never waits for the network. Several
   * publishes of one topic and realm in one turn of the event loop carry the highest position.
   */
  publish(topic: WakeUpTopic, realmId: RealmId, position: Position): void {
    this.say({ kind: 'wake-up', topic, realmId, position });
  }

  /**
   * Subscribes to one realm or, for a follower of the log, to a share of all. While a process subscribes to anything of
   * a realm, it also gets the signals of that realm. What was published before `listening` has resolved may be missed.
   *
   * @returns a function that ends the subscription
   */
  subscribe(topic: 'log' | 'urgent', to: Share, listener: WakeUpListener): () => void;
  subscribe(topic: 'head' | 'client-events', to: RealmId, listener: WakeUpListener): () => void;
  subscribe(topic: WakeUpTopic, to: RealmId | Share, listener: WakeUpListener): () => void {
    const channel = channelFor(to);
    const remove = addTo(this.listeners, `${topic} ${channel}`, listener);
    const leave = this.listen(channel);
    return () => {
      remove();
      leave();
    };
  }

  /**
   * Resolves when the process receives what it subscribed to of a realm, of a share or of signals. Resolves within
   * seconds also if they cannot be reached now. Then `onLost` runs when they can.
   */
  async listening(to: RealmId | Share | 'signals'): Promise<void> {
    await this.channels.get(channelFor(to))?.stands;
  }

  /**
   * Runs whenever notices may have been missed: after each reconnect, and after the first connect. The listener should
   * read the heads of all realms that it needs.
   *
   * @returns a function that ends the subscription
   */
  onLost(listener: () => void): () => void {
    this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  /**
   * Sends a small message that nobody wants to replay to the processes that have subscribed to anything of the realm,
   * and to this one. It may be lost.
   *
   * @throws SignalTooLarge when name and payload have more than 7,000 bytes as JSON
   */
  signal(name: string, realmId: RealmId, payload: Json): void {
    this.saySignal({ kind: 'signal', name, realmId, payload, toAll: false });
  }

  /** The same to all processes that subscribe to signals. @throws SignalTooLarge as `signal` does */
  broadcast(name: string, realmId: RealmId, payload: Json): void {
    this.saySignal({ kind: 'signal', name, realmId, payload, toAll: true });
  }

  /** @returns a function that ends the subscription */
  onSignal(name: string, listener: SignalListener): () => void {
    const remove = addTo(this.signalListeners, name, listener);
    const leave = this.listen('signals');
    return () => {
      remove();
      leave();
    };
  }

  /** Sends what was published so far, then receives and sends nothing more. */
  async close(): Promise<void> {
    this.flush();
    this.closed = true;
    await this.sending;
    await this.transport.close();
  }

  /** @returns a function that ends it, once */
  private listen(channel: NoticeChannel): () => void {
    const known = this.channels.get(channel) ?? { count: 0, stands: this.transport.listen(channel) };
    known.count++;
    this.channels.set(channel, known);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      known.count--;
      if (known.count > 0) return;
      this.channels.delete(channel);
      if (!this.closed) this.transport.unlisten(channel);
    };
  }

  private saySignal(signal: Signal): void {
    const bytes = noticeSize(signal);
    if (bytes > MAX_SIGNAL_BYTES) throw new SignalTooLarge(signal.name, bytes);
    this.say(signal);
  }

  private say(notice: Notice): void {
    if (this.closed) return;
    if (this.fresh.isEmpty) setImmediate(() => this.flush());
    this.fresh.add(notice);
  }

  private flush(): void {
    const notices = this.fresh.take();
    for (const notice of notices) this.outgoing.add(notice);
    // At most one send is in progress. What is published meanwhile is merged into the next one.
    if (!this.sending && !this.outgoing.isEmpty) this.sending = this.send();
    for (const notice of notices) this.deliver(channelOf(notice), notice);
  }

  private async send(): Promise<void> {
    while (!this.outgoing.isEmpty) {
      const rest = this.sentAt + this.transport.pauseMs - performance.now();
      if (rest > 0 && !this.closed) await delay(rest);
      try {
        await this.transport.send(letters(this.id, this.outgoing.take()));
      } catch (error) {
        this.log.debug({ err: error }, 'wake-ups were lost; the other processes find out by looking at the heads');
      }
      this.sentAt = performance.now();
    }
    this.sending = null;
  }

  private hear(channel: string, text: string): void {
    const heard = unpack(channel, text);
    if (!heard) this.log.warn({ text: text.slice(0, 200) }, 'a wake-up that cannot be read');
    else if (heard.from !== this.id && !this.closed)
      for (const notice of heard.notices) this.deliver(channel as NoticeChannel, notice);
  }

  private deliver(channel: NoticeChannel, notice: Notice): void {
    if (notice.kind === 'signal') {
      const { name, realmId, payload } = notice;
      for (const listener of this.signalListeners.get(name) ?? []) this.guarded(() => listener(realmId, payload));
    } else {
      const { topic, realmId, position } = notice;
      for (const listener of this.listeners.get(`${topic} ${channel}`) ?? [])
        this.guarded(() => listener(realmId, position));
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

const channelFor = (to: RealmId | Share | 'signals'): NoticeChannel => (typeof to === 'number' ? realmChannel(to) : to);

function addTo<Name, Listener>(to: Map<Name, Set<Listener>>, name: Name, listener: Listener): () => void {
  const known = to.get(name) ?? new Set();
  to.set(name, known.add(listener));
  return () => {
    known.delete(listener);
    if (known.size === 0 && to.get(name) === known) to.delete(name);
  };
}
