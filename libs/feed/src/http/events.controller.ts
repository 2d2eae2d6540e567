import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { Dispatcher } from '../delivery/dispatcher';
import { DeleteQueueParams, GetEventsParams } from './events.params';
import { QueueAnswers } from './queue-answers';
import { eventsShape } from './shapes';

@Controller()
export class EventsController {
  constructor(
    private readonly answers: QueueAnswers,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** contract/realtime.md section 3, feed.md section 5 */
  @Endpoint('GET', 'events', {
    audience: 'anyone',
    section: 'realtime 3',
    summary: 'Wait for events of a queue',
    returns: eventsShape,
    streams: true,
  })
  get(@By() by: Actor, @Params(GetEventsParams) p: GetEventsParams, @Info() info: RequestInfo) {
    return info.wantsEventStream ? this.answers.stream(by, p, info) : this.answers.list(by, p, info);
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
