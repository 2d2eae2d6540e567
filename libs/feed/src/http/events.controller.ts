import { longWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { ReadyJson } from '@annals/kernel/domain';
import { By, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { Dispatcher } from '../delivery/dispatcher';
import type { WireEvent } from '../domain/flag-events';
import { DeleteQueueParams, GetEventsParams } from './events.params';
import { eventsShape } from './shapes';

/** Events that are written at once. */
const FEW = 10;

@Controller()
export class EventsController {
  constructor(private readonly dispatcher: Dispatcher) {}

  /** contract/realtime.md section 3 */
  @Endpoint('GET', 'events', {
    audience: 'anyone',
    section: 'realtime 3',
    summary: 'Wait for events of a queue',
    returns: eventsShape,
  })
  async get(@By() by: Actor, @Params(GetEventsParams) p: GetEventsParams, @Info() { disconnected }: RequestInfo) {
    const { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock } = p;
    const events = await this.dispatcher.poll(by, { queueId, lastEventId, dontBlock, disconnected });
    const asker = `${by.realmId}:${by.userId}`;
    return { events: events.length > FEW ? await writtenInTurns(events, asker) : events, queue_id: queueId };
  }

  /** contract/realtime.md section 4 */
  @Endpoint('DELETE', 'events', {
    audience: 'anyone',
    section: 'realtime 4',
    summary: 'End a queue',
    returns: null,
  })
  async delete(@By() by: Actor, @Params(DeleteQueueParams) { queue_id: queueId }: DeleteQueueParams) {
    await this.dispatcher.delete(by, queueId);
  }
}

/** An answer may be large: it is written event by event, so that the process can serve others in between. */
async function writtenInTurns(events: readonly WireEvent[], asker: string): Promise<ReadyJson> {
  const texts: string[] = [];
  for (const event of events) texts.push((await longWork.run(asker, () => JSON.stringify(event))).result);
  return new ReadyJson(`[${texts.join()}]`);
}
