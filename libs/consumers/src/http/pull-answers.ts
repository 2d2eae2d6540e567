import type { Actor } from '@annals/kernel/domain';
import type { Bytes, RequestInfo, SentEvent } from '@annals/web';
import { EventStreams } from '@annals/web';
import { Injectable } from '@nestjs/common';
import { PullPolls } from '../application/pull/pull-polls';
import type { ConsumerStream } from '../application/stream/consumer-stream';
import { ConsumerStreams } from '../application/stream/consumer-streams';
import { reject } from '../domain/rejections';
import { offsetIn } from '../read/offsets';
import type { ConsumerEvent } from '../read/reading/cloud-event';
import type { PullParams } from './pull.params';
import { prefersBatch, presentTaken } from './event-batch';

const SECOND_MS = 1_000;
/** Most events of one answer, and of a stream most that are not acknowledged. */
const USUAL_LIMIT = 100;
const USUAL_STREAM_LIMIT = 1_000;

/** Whether a caller asks for server-sent events. */
export const prefersStream = (info: RequestInfo): boolean =>
  info.wantsEventStream && !prefersBatch(info.header('accept'));

/** The two answers of GET /feed/consumers/{name}/events. */
@Injectable()
export class PullAnswers {
  constructor(
    private readonly polls: PullPolls,
    private readonly streams: ConsumerStreams,
    private readonly texts: EventStreams,
  ) {}

  /** The next events (contract/feed.md section 4). */
  async list(by: Actor, p: PullParams, info: RequestInfo) {
    const { name: consumer, worker, limit = USUAL_LIMIT, wait, lease } = p;
    const times = { leaseMs: lease * SECOND_MS, waitMs: wait * SECOND_MS };
    const { disconnected } = info;
    const taken = await this.polls.pull(by, { consumer, worker, limit, ...times, disconnected });
    return presentTaken(by.realmId, taken, prefersBatch(info.header('accept')));
  }

  /** Server-sent events (contract/feed.md section 5). */
  async stream(by: Actor, p: PullParams, info: RequestInfo): Promise<Bytes> {
    const { name: consumer, worker, limit: mostHeld = USUAL_STREAM_LIMIT, wait, lease } = p;
    if (wait > 0) throw reject.waitOfStream();
    const received = receivedBy(by, info);
    const { disconnected } = info;
    const asked = { consumer, worker, mostHeld, patienceMs: lease * SECOND_MS, received, disconnected };
    const stream = await this.streams.begin(by, asked);
    const asker = `${by.realmId}:${by.userId}`;
    return this.texts.answer({ batches: sent(stream), hasEnded: () => stream.end !== null, asker });
  }
}

/** @throws Rejected BAD_REQUEST for a header that is no id of an event of the organization */
function receivedBy({ realmId }: Actor, info: RequestInfo): number | null {
  const header = info.header('last-event-id') ?? '';
  if (header === '') return null;
  const offset = offsetIn(realmId, header);
  if (offset === null) throw reject.badLastEventId();
  return offset;
}

async function* sent(stream: ConsumerStream): AsyncGenerator<readonly SentEvent[], void> {
  for await (const events of stream) yield events.map(sentEvent);
  yield [{ type: 'end', data: { type: 'end', reason: stream.end } }];
}

const sentEvent = ({ id, cloudEvent }: ConsumerEvent): SentEvent => ({ id, type: cloudEvent.type, data: cloudEvent });
