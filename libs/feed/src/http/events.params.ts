import { BooleanParam, IntegerParam, TextParam } from '@annals/web';

/** Parameters of GET /events (contract/realtime.md section 3). */
export class GetEventsParams {
  @TextParam() queue_id: string;
  @IntegerParam() last_event_id: number;
  @BooleanParam() dont_block = false;
}

/** Parameters of DELETE /events (contract/realtime.md section 4). */
export class DeleteQueueParams {
  @TextParam() queue_id: string;
}
