import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { Dispatcher } from '../delivery/dispatcher';
import { DeleteQueueParams, GetEventsParams } from './events.params';
import { eventsShape } from './shapes';

@Controller()
export class EventsController {
  constructor(private readonly dispatcher: Dispatcher) {}

  /** contract/realtime.md section 3 */
  @Endpoint('GET', 'events', {
    audience: 'anyone',
    section: 'realtime 3',
    summary: 'Waits for events of a queue',
    returns: eventsShape,
  })
  async get(@By() by: Actor, @Params(GetEventsParams) p: GetEventsParams, @Info() { disconnected }: RequestInfo) {
    const { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock } = p;
    const events = await this.dispatcher.poll(by, { queueId, lastEventId, dontBlock, disconnected });
    return { events, queue_id: queueId };
  }

  /** contract/realtime.md section 4 */
  @Endpoint('DELETE', 'events', {
    audience: 'anyone',
    section: 'realtime 4',
    summary: 'Ends a queue',
    returns: null,
  })
  async delete(@By() by: Actor, @Params(DeleteQueueParams) { queue_id: queueId }: DeleteQueueParams) {
    await this.dispatcher.delete(by, queueId);
  }
}
