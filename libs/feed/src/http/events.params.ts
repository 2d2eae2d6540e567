import { BooleanParam, IntegerParam, TextParam } from '@annals/web';

/** Parameters of GET /events (contract/realtime.md section 3). */
export class GetEventsParams {
  @TextParam() queue_id: string;
  @IntegerParam({ optional: true, about: 'Required for a poll. A stream begins at the registration without it.' })
  last_event_id?: number;
  @BooleanParam({ about: 'Not for streams.' }) dont_block = false;
}

/** Parameters of DELETE /events (contract/realtime.md section 4). */
export class DeleteQueueParams {
  @TextParam() queue_id: string;
}
