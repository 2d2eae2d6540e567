import type { Actor, ChannelId } from '@annals/kernel/domain';
import { messageId, t } from '@annals/kernel/domain';
import { BooleanParam, By, Endpoint, Params, PathId, TextParam } from '@annals/web';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeleteTopic } from '../application/delete/delete-topic';
import { namedTopic } from '../domain/topic';
import { ListPastTopics } from '../read/past/list-past-topics';
import type { ListedTopic } from '../read/query/list-topics';
import { ListTopics } from '../read/query/list-topics';
import { shownTopic } from '../read/content/present-message';
import { PastRequests } from '@annals/users/http';
import { PastParams } from './past-requests';
import { asOfPosition } from './shapes';

class ListTopicsParams extends PastParams {
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
    private readonly past: PastRequests,
  ) {}

  /** contract/messages.md section 4.5 */
  @Endpoint('GET', 'users/me/:stream_id/topics', {
    audience: 'anyone',
    section: 'messages 4.5',
    summary: 'List the topics of a channel',
    returns: t.Object({ topics: t.Array(topic, { description: 'Newest first.' }), as_of_position: asOfPosition }),
  })
  async list(@By() by: Actor, @Params(ListTopicsParams) p: ListTopicsParams) {
    const asOf = await this.past.of(by, p);
    if (!asOf) return present(await this.queries.execute(new ListTopics(by, p.stream_id)), p);
    const past = await this.queries.execute(new ListPastTopics(asOf, p.stream_id));
    const parameters = { stream_id: p.stream_id };
    const results = past.topics.length;
    await this.past.answered(by, asOf, p, { endpoint: 'GET /users/me/{stream_id}/topics', parameters, results });
    return { ...present(past.topics, p), as_of_position: asOf.position };
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

const present = (topics: readonly ListedTopic[], { allow_empty_topic_name: allowEmpty }: ListTopicsParams) => ({
  topics: topics.map(({ name, newest }) => ({ name: shownTopic(name, allowEmpty), max_id: newest })),
});
