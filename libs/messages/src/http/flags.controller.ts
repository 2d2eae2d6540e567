import type { Actor, ChannelId } from '@annals/kernel/domain';
import { channelId, t } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { By, Endpoint, IntegerParam, IntegersParam, Params, TextParam, WordParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeFlags } from '../application/flags/change-flags';
import { MarkAllRead } from '../application/flags/mark-all-read';
import { MarkChannelRead } from '../application/flags/mark-channel-read';
import type { EditableFlag, FlagOperation } from '../domain/flags/flag-events';
import { EDITABLE_FLAGS, FLAG_OPERATIONS } from '../domain/flags/flag-events';
import { namedTopic } from '../domain/topic';

/** Maximum of messages in one request. */
const MAX_MESSAGES = 10_000;

class ChangeFlagsParams {
  @IntegersParam({ maxItems: MAX_MESSAGES }) messages: readonly number[];
  @WordParam(FLAG_OPERATIONS) op: FlagOperation;
  @WordParam(EDITABLE_FLAGS) flag: EditableFlag;
}

class MarkChannelReadParams {
  @IntegerParam() stream_id: ChannelId;
}

class MarkTopicReadParams extends MarkChannelReadParams {
  @TextParam() topic_name: string;
}

const flagsShape = t.Object({
  messages: t.Array(t.Integer(), { description: 'The messages of the request.' }),
  ignored_because_not_subscribed_channels: t.Array(channelId, {
    description: 'Channels whose messages stay read, because the user is not subscribed.',
  }),
});

@Controller()
export class FlagsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/messages.md section 8 */
  @Endpoint('POST', 'messages/flags', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Add a flag to messages or remove it',
    command: 'ChangeFlags',
    returns: flagsShape,
  })
  async change(@By() by: Actor, @Params(ChangeFlagsParams) { messages, op, flag }: ChangeFlagsParams) {
    const { ignoredChannels } = await this.commands.execute(new ChangeFlags(by, messages, { flag, op }));
    return { messages, ignored_because_not_subscribed_channels: ignoredChannels };
  }

  /** contract/messages.md section 8 */
  @Endpoint('POST', 'mark_all_as_read', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Mark all messages as read',
    command: 'MarkAllRead',
    returns: t.Object({ complete: t.Boolean() }),
  })
  async markAll(@By() by: Actor) {
    await this.commands.execute(new MarkAllRead(by));
    return { complete: true };
  }

  /** contract/messages.md section 8 */
  @Endpoint('POST', 'mark_stream_as_read', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Mark the messages of a channel as read',
    command: 'MarkChannelRead',
    returns: null,
  })
  async markChannel(@By() by: Actor, @Params(MarkChannelReadParams) p: MarkChannelReadParams) {
    await this.commands.execute(new MarkChannelRead(by, p.stream_id, null));
  }

  /** contract/messages.md section 8 */
  @Endpoint('POST', 'mark_topic_as_read', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Mark the messages of a topic as read',
    command: 'MarkChannelRead',
    returns: null,
  })
  async markTopic(@By() by: Actor, @Params(MarkTopicReadParams) p: MarkTopicReadParams) {
    const topic = namedTopic(p.topic_name, EMPTY_TOPIC_DISPLAY_NAME);
    await this.commands.execute(new MarkChannelRead(by, p.stream_id, topic));
  }
}
