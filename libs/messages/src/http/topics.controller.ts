import type { Actor, ChannelId } from '@annals/kernel/domain';
import { messageId, t } from '@annals/kernel/domain';
import { BooleanParam, By, Endpoint, Params, PathId, TextParam } from '@annals/web';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeleteTopic } from '../application/delete/delete-topic';
import { namedTopic } from '../domain/topic';
import { ListTopics } from '../read/query/list-topics';
import { shownTopic } from '../read/content/present-message';

class ListTopicsParams {
  @PathId() stream_id: ChannelId;
  @BooleanParam() allow_empty_topic_name = false;
}

/** INTERFACE.md 4.12 */
class DeleteTopicParams {
  @PathId() stream_id: ChannelId;
  @TextParam() topic_name: string;
}

const topic = t.Object({ name: t.String(), max_id: messageId });

@Controller()
export class TopicsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/messages.md section 4.5 */
  @Endpoint('GET', 'users/me/:stream_id/topics', {
    audience: 'anyone',
    section: 'messages 4.5',
    summary: 'List the topics of a channel',
    returns: t.Object({ topics: t.Array(topic, { description: 'Newest first.' }) }),
  })
  async list(@By() by: Actor, @Params(ListTopicsParams) p: ListTopicsParams) {
    const topics = await this.queries.execute(new ListTopics(by, p.stream_id));
    const shown = (name: string) => shownTopic(name, p.allow_empty_topic_name);
    return { topics: topics.map(({ name, newest }) => ({ name: shown(name), max_id: newest })) };
  }
  /** INTERFACE.md 4.12 */
  @Endpoint('POST', 'streams/:stream_id/delete_topic', {
    audience: 'administrators',
    section: '4.12',
    summary: 'Delete the messages of a topic',
    command: 'DeleteTopic',
    returns: t.Object({ complete: t.Boolean({ description: 'False where the time was over: ask again.' }) }),
  })
  async delete(@By() by: Actor, @Params(DeleteTopicParams) p: DeleteTopicParams) {
    const name = namedTopic(p.topic_name, EMPTY_TOPIC_DISPLAY_NAME);
    return { complete: await this.commands.execute(new DeleteTopic(by, p.stream_id, name)) };
  }
}
