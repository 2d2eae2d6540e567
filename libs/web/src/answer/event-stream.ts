import { Readable } from 'node:stream';
import { longWork } from '@annals/kernel';
import type { Clock, Instant } from '@annals/kernel/domain';

/** An event of a stream of server-sent events. */
export interface SentEvent {
  /** What the client sends as `Last-Event-ID` to continue after the event. Without one, its last id remains. */
  readonly id?: string;
  /** Without line breaks, like the id. */
  readonly type: string;
  readonly data: object;
}

/** The source of a stream. */
export interface EventSupply {
  /**
   * The next batch is requested when the client has taken the one before. It gives a last batch and ends, also after its
   * own end. `return` is called when the stream has ended.
   */
  readonly batches: AsyncIterator<readonly SentEvent[], void>;
  /** Whether the source has ended by itself. A client that does not read is then disconnected. */
  hasEnded(): boolean;
  /** The owner of the work of writing, for example an account. */
  readonly asker: string;
}

/** Longest time in which a stream writes nothing, so that proxies and clients see that it is alive. */
const HEARTBEAT_MS = 25_000;
const HEARTBEAT = ':\n\n';
/** A client that takes nothing for so long is disconnected. It continues with its last id. */
const STALLED_MS = 300_000;
/** What a client gets to take the rest of a stream whose source has ended. */
const LINGER_MS = 1_000;
/** Tells the client how many ms to wait before it connects again. */
const BEGIN = 'retry: 3000\n\n';
/** Batches with more events are written in time slices. */
const FEW = 10;
/** Characters of one piece. A thousand take about a microsecond to write. */
const PIECE = 32_768;

/** The text of one stream. It requests and writes events only while its client reads. */
export class EventStream extends Readable {
  /** Texts of the batch that is being written. */
  private texts: Iterator<string, void> = [BEGIN].values();
  private isLong = false;
  private isWriting = false;
  /** Since when the client has not taken what was written. Null while everything is taken. */
  private blockedSince: Instant | null = null;
  private writtenAt: Instant;

  /** @param failed runs when the source fails. The client is then disconnected */
  constructor(
    private readonly supply: EventSupply,
    private readonly clock: Clock,
    private readonly failed: (error: unknown) => void,
  ) {
    // Nothing is read ahead of the client.
    super({ highWaterMark: 0 });
    this.writtenAt = clock.now();
  }

  override _read(): void {
    this.blockedSince = null;
    if (this.isWriting) return;
    this.isWriting = true;
    this.nextPiece().then(
      (text) => {
        this.isWriting = false;
        this.put(text);
      },
      (error: unknown) => {
        this.failed(error);
        this.destroy();
      },
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    void this.supply.batches.return?.().catch(() => undefined);
    callback(error);
  }

  /** Runs once a second: a heartbeat when nothing was written for a while, and the end of what nobody reads. */
  tick(): void {
    const now = this.clock.now();
    if (this.blockedSince === null) {
      if (now - this.writtenAt >= HEARTBEAT_MS) this.put(HEARTBEAT);
      return;
    }
    const patience = this.supply.hasEnded() ? LINGER_MS : STALLED_MS;
    if (now - this.blockedSince >= patience) this.destroy();
  }

  /** Null at the end. */
  private put(text: string | null): void {
    if (this.destroyed || this.readableEnded) return;
    if (text !== null) this.writtenAt = this.blockedSince = this.clock.now();
    this.push(text);
  }

  private async nextPiece(): Promise<string | null> {
    for (;;) {
      const text = this.isLong ? await this.inTimeSlice() : joined(this.texts, Infinity);
      if (text !== '') return text;
      const { value, done } = await this.supply.batches.next();
      if (done) return null;
      this.isLong = value.length > FEW;
      this.texts = textsOf(value);
    }
  }

  private async inTimeSlice(): Promise<string> {
    return (await longWork.run(this.supply.asker, () => joined(this.texts, PIECE))).result;
  }
}

function joined(texts: Iterator<string, void>, length: number): string {
  let text = '';
  while (text.length < length) {
    const next = texts.next();
    if (next.done) return text;
    text += next.value;
  }
  return text;
}

function* textsOf(events: readonly SentEvent[]): Generator<string, void> {
  // JSON has no line breaks, so the data are one line.
  for (const { id, type, data } of events) {
    yield `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
