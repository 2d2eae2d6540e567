import { pino } from 'pino';
import type { Letter, Notice } from './notice';
import type { WakeUpTransport } from './wake-ups';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import { MAX_NOTICE_BYTES, pack, shareOf, unpack } from './notice';
import { at, realm, recordLogs } from './spec-support/recording';
import { WakeUps } from './wake-ups';

const log = pino({ level: 'silent' });

describe('wake-ups that are sent', () => {
  /** A transport whose sends end when the test ends them. */
  class SlowTransport implements WakeUpTransport {
    readonly pauseMs = 0;
    readonly sent: Record<string, readonly Notice[]>[] = [];
    readonly started = new CallRecorder<[]>();
    private finish: (error?: Error) => void = () => undefined;

    start(): void {}

    async listen(): Promise<void> {}

    unlisten(): void {}

    send(letters: readonly Letter[]): Promise<void> {
      const sent: Record<string, readonly Notice[]> = {};
      for (const { channel, text } of letters)
        sent[channel] = [...(sent[channel] ?? []), ...(unpack(channel, text)?.notices ?? [])];
      this.sent.push(sent);
      this.started.listener();
      return new Promise((resolve, reject) => (this.finish = (error) => (error ? reject(error) : resolve())));
    }

    end(error?: Error): void {
      this.finish(error);
    }

    async close(): Promise<void> {
      this.finish();
    }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const head = (id: number, position: number) => ({ kind: 'wake-up', topic: 'head', realmId: id, position });

  it('merge what is published while a send is under way, and survive a send that fails', async () => {
    const transport = new SlowTransport();
    const wakeUps = new WakeUps(transport, log);
    for (let position = 1; position <= 5; position++) {
      wakeUps.publish('head', realm(1), at(position));
      wakeUps.publish('head', realm(2), at(1));
      await turn();
    }
    expect(transport.sent).toEqual([{ realm_1: [head(1, 1)], realm_2: [head(2, 1)] }]);
    transport.end(new Error('gone'));
    await transport.started.atLeast(2);
    expect(transport.sent.at(-1)).toEqual({ realm_1: [head(1, 5)], realm_2: [head(2, 1)] });
    transport.end();
  });

  it('do not let a listener that throws disturb the others or the publisher', async () => {
    const wakeUps = new WakeUps(new SlowTransport(), log);
    wakeUps.subscribe('log', shareOf(realm(1)), () => {
      throw new Error('broken');
    });
    const received = await recordLogs(wakeUps);
    const unsubscribe = wakeUps.subscribe('log', shareOf(realm(1)), () => received.listener(realm(99), at(99)));
    unsubscribe();
    wakeUps.publish('log', realm(1), at(1));
    await received.atLeast(1);
    expect(received.calls).toEqual([[1, 1]]);
  });

  it('keep the newest thousand signals of an outage', async () => {
    const transport = new SlowTransport();
    const wakeUps = new WakeUps(transport, log);
    wakeUps.signal('typing', realm(1), 0);
    await transport.started.atLeast(1);
    for (let index = 1; index <= 1_500; index++) wakeUps.signal('typing', realm(1), index);
    await turn();
    transport.end();
    await transport.started.atLeast(2);
    const sent = transport.sent.at(-1)?.['realm_1']?.map((notice) => notice.kind === 'signal' && notice.payload);
    expect(sent).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 501));
    transport.end();
  });

  it('fit into the notifications of PostgreSQL and are the same after them', () => {
    const notices = Array.from({ length: 500 }, (_, index) =>
      index % 2
        ? ({ kind: 'wake-up', topic: 'head', realmId: realm(index), position: at(index) } as const)
        : ({
            kind: 'signal',
            name: 'typing',
            realmId: realm(index),
            payload: { text: '🎈'.repeat(index) },
            toAll: true,
          } as const),
    );
    const texts = pack('a', notices);
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_NOTICE_BYTES);
    expect(texts.flatMap((text) => unpack('signals', text)?.notices)).toEqual(notices);
    expect(texts.every((text) => unpack('signals', text)?.from === 'a')).toBe(true);
  });

  it.each(['', '{}', '[1]', '["a",1]', '["a",["w","head",1]]', '["a",["w","head","1",2]]', '["a",["s","typing",1]]'])(
    'are not read from %j',
    (text) => expect(unpack('share_1', text)).toBeNull(),
  );
});
