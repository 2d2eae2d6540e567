import type { Actor } from '@annals/kernel/domain';
import { longWork } from '@annals/kernel';
import { ReadyJson, Rejected } from '@annals/kernel/domain';
import type { Bytes, RequestInfo, SentEvent } from '@annals/web';
import { EventStreams, missingParameter, parseInteger } from '@annals/web';
import { Injectable } from '@nestjs/common';
import { Dispatcher } from '../delivery/dispatcher';
import type { QueueStream } from '../delivery/polls/queue-stream';
import type { WireEvent } from '../domain/flag-events';
import type { GetEventsParams } from './events.params';

/** Events that are written at once. */
const FEW = 10;
/** Stands for the registration of the queue. */
const FROM_THE_BEGINNING = -1;

/** The two answers of GET /events. */
@Injectable()
export class QueueAnswers {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly streams: EventStreams,
  ) {}

  /** One list of events (contract/realtime.md section 3). */
  async list(by: Actor, p: GetEventsParams, { disconnected }: RequestInfo) {
    const { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock } = p;
    if (lastEventId === undefined) throw missingParameter('last_event_id');
    const events = await this.dispatcher.poll(by, { queueId, lastEventId, dontBlock, disconnected });
    return { events: events.length > FEW ? await writtenInTurns(events, askerOf(by)) : events, queue_id: queueId };
  }

  /** Server-sent events (contract/feed.md section 5). */
  async stream(by: Actor, p: GetEventsParams, info: RequestInfo): Promise<Bytes> {
    if (p.dont_block) throw new Rejected('BAD_REQUEST', 'dont_block does not apply to a stream');
    const lastEventId = lastEventIdOf(info) ?? p.last_event_id ?? FROM_THE_BEGINNING;
    const { disconnected } = info;
    const stream = await this.dispatcher.stream(by, { queueId: p.queue_id, lastEventId, disconnected });
    return this.streams.answer({ batches: sent(stream), hasEnded: () => stream.end !== null, asker: askerOf(by) });
  }
}

/** A browser that connects again repeats its first URL, so the header is newer than the parameter. */
function lastEventIdOf(info: RequestInfo): number | undefined {
  const header = info.header('last-event-id') ?? '';
  return header === '' ? undefined : parseInteger(header, 'Last-Event-ID');
}

async function* sent(stream: QueueStream): AsyncGenerator<readonly SentEvent[], void> {
  for await (const events of stream) yield events.map(sentEvent);
  yield [{ type: 'end', data: { type: 'end', reason: stream.end } }];
}

const sentEvent = (event: WireEvent): SentEvent => ({ id: String(event.id), type: event.type, data: event });

const askerOf = ({ realmId, userId }: Actor): string => `${realmId}:${userId}`;

/** An answer may be large: it is written event by event, so that the process can serve others in between. */
async function writtenInTurns(events: readonly WireEvent[], asker: string): Promise<ReadyJson> {
  const texts: string[] = [];
  for (const event of events) texts.push((await longWork.run(asker, () => JSON.stringify(event))).result);
  return new ReadyJson(`[${texts.join()}]`);
}
