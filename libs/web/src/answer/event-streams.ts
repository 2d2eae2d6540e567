import type { Clock } from '@annals/kernel/domain';
import { Logger } from '@nestjs/common';
import { Bytes } from '../body/bytes';
import type { EventSupply } from './event-stream';
import { EventStream } from './event-stream';

const TICK_MS = 1_000;

/** Proxies must hand on every event at once, and keep nothing. */
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** The streams of server-sent events of a process, with the timer of their heartbeats (contract/feed.md section 5). */
export class EventStreams {
  private readonly log = new Logger('request');
  private readonly open = new Set<EventStream>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly clock: Clock) {}

  /** The answer of an endpoint that declares `streams`. It ends with its source, or when the client disconnects. */
  answer(supply: EventSupply): Bytes {
    const failed = (error: unknown) => this.log.error({ msg: 'a stream failed', err: error });
    const stream = new EventStream(supply, this.clock, failed);
    this.open.add(stream);
    this.timer ??= setInterval(() => this.tick(), TICK_MS);
    stream.once('close', () => this.closed(stream));
    return new Bytes(200, HEADERS, stream);
  }

  /** Heartbeats, and the end of streams that nobody reads. */
  tick(): void {
    for (const stream of this.open) stream.tick();
  }

  private closed(stream: EventStream): void {
    this.open.delete(stream);
    if (this.open.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
