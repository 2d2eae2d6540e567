import { once } from 'node:events';
import { Writable } from 'node:stream';
import type { Instant } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { Logger } from '@nestjs/common';
import { ToyEvents } from '../../testing/toy-events';
import type { SentEvent } from './event-stream';
import { EventStreams } from './event-streams';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A client that takes what it receives only while it reads. */
class Client extends Writable {
  text = '';
  isReading = true;
  private pending: (() => void) | null = null;

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.pending = () => {
      this.text += chunk.toString();
      done();
    };
    if (this.isReading) this.take();
  }

  read(): void {
    this.isReading = true;
    this.take();
  }

  stopReading(): void {
    this.isReading = false;
  }

  private take(): void {
    const { pending } = this;
    this.pending = null;
    pending?.();
  }
}

const event = (n: number): SentEvent => ({ id: String(n), type: 'message', data: { n } });
const textOf = (n: number) => `id: ${n}\nevent: message\ndata: {"n":${n}}\n\n`;
const BEGIN = 'retry: 3000\n\n';

describe('a stream of server-sent events', () => {
  let clock: ManualClock;
  let streams: EventStreams;
  let source: ToyEvents;
  let client: Client;
  const open = () => {
    const { content } = streams.answer(source);
    content.pipe(client);
    return content;
  };
  beforeEach(() => {
    clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
    streams = new EventStreams(clock);
    source = new ToyEvents();
    client = new Client();
  });

  it('has the headers that proxies need', () => {
    const { status, headers, content } = streams.answer(source);
    content.destroy();
    expect([status, headers]).toEqual([
      200,
      {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-cache',
        'X-Accel-Buffering': 'no',
      },
    ]);
  });

  it('writes each event with id, type and one line of JSON, and ends with its source', async () => {
    open();
    source.give([event(1), event(2)]);
    source.give([{ type: 'end', data: { text: 'two\r\nlines' } }]);
    source.end();
    await once(client, 'finish');
    expect(client.text).toBe(`${BEGIN}${textOf(1)}${textOf(2)}event: end\ndata: {"text":"two\\r\\nlines"}\n\n`);
  });

  it('begins before the first event', async () => {
    const content = open();
    await turn();
    expect(client.text).toBe(BEGIN);
    content.destroy();
  });

  it('requests nothing while its client does not read', async () => {
    const content = open();
    await turn();
    client.stopReading();
    for (let n = 1; n <= 5; n++) source.give([event(n)]);
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(source.requested).toBe(1);
    expect(content.readableLength).toBeLessThan(200);
    client.read();
    source.end();
    await once(client, 'finish');
    expect(client.text).toBe([BEGIN, 1, 2, 3, 4, 5].map((n) => (typeof n === 'number' ? textOf(n) : n)).join(''));
  });

  it('writes a long batch in pieces, of which each waits for the client', async () => {
    const content = open();
    await turn();
    client.stopReading();
    const batch = Array.from({ length: 3_000 }, (_, n) => event(n));
    source.give(batch);
    while (client.writableLength === 0) await turn();
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(client.writableLength + content.readableLength).toBeLessThan(70_000);
    client.read();
    source.end();
    await once(client, 'finish');
    expect(client.text).toBe(BEGIN + batch.map((_, n) => textOf(n)).join(''));
  });

  it('sends a comment when nothing was written for 25 seconds', async () => {
    const content = open();
    await turn();
    clock.advance(24_999);
    streams.tick();
    source.give([event(1)]);
    await turn();
    clock.advance(24_999);
    streams.tick();
    await turn();
    expect(client.text).toBe(BEGIN + textOf(1));
    clock.advance(1);
    streams.tick();
    streams.tick();
    source.give([event(2)]);
    await turn();
    expect(client.text).toBe(`${BEGIN}${textOf(1)}:\n\n${textOf(2)}`);
    content.destroy();
  });

  it('ends its source when the client disconnects', async () => {
    const content = open();
    await turn();
    content.destroy();
    await once(content, 'close');
    expect(source.isReturned).toBe(true);
  });

  it('disconnects a client that takes nothing for five minutes, and no slower one', async () => {
    const content = open();
    await turn();
    client.stopReading();
    source.give([event(1)]);
    await turn();
    clock.advance(299_999);
    streams.tick();
    client.read();
    client.stopReading();
    source.give([event(2)]);
    await turn();
    clock.advance(299_999);
    streams.tick();
    expect(content.destroyed).toBe(false);
    clock.advance(1);
    streams.tick();
    expect(content.destroyed).toBe(true);
  });

  it('gives a client that does not read a second to take the rest of a source that has ended', async () => {
    const content = open();
    await turn();
    client.stopReading();
    source.give([event(1)]);
    await turn();
    source.end();
    clock.advance(999);
    streams.tick();
    expect(content.destroyed).toBe(false);
    clock.advance(1);
    streams.tick();
    expect(content.destroyed).toBe(true);
    expect(source.isReturned).toBe(true);
  });

  it('ends when its source fails', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const content = open();
    await turn();
    source.fail(new Error('the source failed'));
    await once(content, 'close');
    expect(logged).toHaveBeenCalledWith({ msg: 'a stream failed', err: new Error('the source failed') });
    logged.mockRestore();
    client.destroy();
  });
});
