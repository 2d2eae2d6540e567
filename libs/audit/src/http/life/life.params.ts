import type { MessageId, Moment } from '@annals/kernel/domain';
import { IntegerParam, MomentParam, PathId, TextParam } from '@annals/web';

/** Which page of the life of a thing is wanted. */
class LifeParams {
  @TextParam({ optional: true, max: 20, about: 'The `next_cursor` of the page before.' }) cursor?: string;
  @IntegerParam({ min: 1, max: 1_000, about: 'Most events of a page.' }) limit = 100;
}

export class MessageLifeParams extends LifeParams {
  @PathId() message_id: number;
}
export class TopicLifeParams extends LifeParams {
  @PathId() topic_id: number;
}
export class ChannelLifeParams extends LifeParams {
  @PathId() channel_id: number;
}
export class UserLifeParams extends LifeParams {
  @PathId() user_id: number;
}
export class GroupLifeParams extends LifeParams {
  @PathId() group_id: number;
}

export class AudienceParams {
  @PathId() message_id: MessageId;
  @MomentParam({ optional: true, about: 'A moment. Without one it is now.' }) as_of?: Moment;
}
