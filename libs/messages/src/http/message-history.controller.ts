import { setImmediate } from 'node:timers/promises';
import type { Actor } from '@annals/kernel/domain';
import { channelId, nullable, t, unixSeconds, userId } from '@annals/kernel/domain';
import { htmlDiff } from '@annals/markdown';
import { BooleanParam, By, Endpoint, Params, PathId } from '@annals/web';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isChannelChanged, isTopicChanged } from '../read/changes';
import type { MessageHistory, Snapshot } from '../read/get-history';
import { GetMessageHistory } from '../read/get-history';
import { shownTopic, sourceOf } from '../read/present-message';
import { htmlOf } from '../read/rendering';

class MessageHistoryParams {
  @PathId() message_id: number;
  @BooleanParam() allow_empty_topic_name = false;
}

const html = t.String({ description: 'HTML.' });

const snapshotShape = t.Object({
  topic: t.String(),
  prev_topic: t.Optional(t.String()),
  stream: t.Optional(channelId),
  prev_stream: t.Optional(channelId),
  content: t.String(),
  rendered_content: html,
  prev_content: t.Optional(t.String()),
  prev_rendered_content: t.Optional(html),
  content_html_diff: t.Optional(html),
  timestamp: t.Integer({ description: 'UNIX seconds.' }),
  user_id: nullable(userId),
});

@Controller()
export class MessageHistoryController {
  constructor(private readonly queries: QueryBus) {}

  /** contract/messages.md section 4.3 */
  @Endpoint('GET', 'messages/:message_id/history', {
    audience: 'anyone',
    section: 'messages 4.3',
    summary: 'Read how a message was changed',
    returns: t.Object({
      message_history: t.Array(snapshotShape, {
        description: 'Oldest first: as it was sent, and its changes, of very many or very long ones the latest.',
      }),
    }),
  })
  async show(@By() by: Actor, @Params(MessageHistoryParams) p: MessageHistoryParams) {
    const history = await this.queries.execute(new GetMessageHistory(by, p.message_id));
    const message_history = [];
    for (const one of history.snapshots) {
      message_history.push(present(one, history, p.allow_empty_topic_name));
      // Two long texts take a while to compare: others come in between.
      await setImmediate();
    }
    return { message_history };
  }
}

/** Topic and text are those after the change. */
function present(snapshot: Snapshot, history: MessageHistory, allowEmpty: boolean) {
  const { by, at, topic, text, change } = snapshot;
  const { realmId, imagePreviews, showsTexts } = history;
  const move = change?.move;
  const edit = showsTexts ? change?.edit : null;
  return {
    topic: topic === null ? '' : shownTopic(topic, allowEmpty),
    content: sourceOf(text),
    rendered_content: htmlOf(realmId, text, imagePreviews),
    ...(move && isTopicChanged(move) && { prev_topic: shownTopic(move.from.topic, allowEmpty) }),
    ...(move && isChannelChanged(move) && { stream: move.to.channelId, prev_stream: move.from.channelId }),
    ...(edit && {
      prev_content: sourceOf(edit.previous),
      prev_rendered_content: htmlOf(realmId, edit.previous, imagePreviews),
      content_html_diff: htmlDiff(
        htmlOf(realmId, edit.previous, imagePreviews),
        htmlOf(realmId, edit.current, imagePreviews),
      ),
    }),
    timestamp: unixSeconds(at),
    user_id: by,
  };
}
