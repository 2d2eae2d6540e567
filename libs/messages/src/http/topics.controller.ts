import type { Actor, ChannelId } from '@annals/kernel/domain';
import { messageId, t } from '@annals/kernel/domain';
import { BooleanParam, By, Endpoint, Params, PathId } from '@annals/web';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListTopics } from '../read/list-topics';
import { shownTopic } from '../read/present-message';

class ListTopicsParams {
  @PathId() stream_id: ChannelId;
  @BooleanParam() allow_empty_topic_name = false;
}

const topic = t.Object({ name: t.String(), max_id: messageId });

@Controller()
export class TopicsController {
  constructor(private readonly queries: QueryBus) {}

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
}
