import type { Actor } from '@annals/kernel/domain';
import { ReadyJson, channelId, nullable, t, unixSeconds, userId } from '@annals/kernel/domain';
import { PastRequests } from '@annals/users/http';
import { PastParams } from './past-requests';
import { htmlDiff } from '@annals/markdown';
import { BooleanParam, By, Endpoint, Params, PathId } from '@annals/web';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isChannelChanged, isTopicChanged } from '../read/content/changes';
import { MAX_ANSWER_BYTES } from '../read/query/page-budget';
import type { Revision } from '../read/content/revisions';
import type { MessageHistory } from '../read/query/get-history';
import { GetMessageHistory } from '../read/query/get-history';
import { GetReadReceipts } from '../read/query/get-read-receipts';
import { askerOf } from '../read/query/get-messages';
import { shownTopic, sourceOf } from '../read/content/present-message';
import { Renderings } from '../read/content/rendering';
import { GetPastHistory } from '../read/past/get-past-message';
import { asOfPosition } from './shapes';

class MessageHistoryParams extends PastParams {
  @PathId() message_id: number;
  @BooleanParam() allow_empty_topic_name = false;
}

class ReadReceiptsParams {
  @PathId() message_id: number;
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
  constructor(
    private readonly queries: QueryBus,
    private readonly past: PastRequests,
  ) {}

  /** contract/messages.md section 4.3 */
  @Endpoint('GET', 'messages/:message_id/history', {
    audience: 'anyone',
    section: 'messages 4.3',
    summary: 'Read how a message was changed',
    returns: t.Object({
      message_history: t.Array(snapshotShape, {
        description: 'Oldest first: as it was sent, and its changes, of very many or very long ones the latest.',
      }),
      as_of_position: asOfPosition,
    }),
  })
  async show(@By() by: Actor, @Params(MessageHistoryParams) p: MessageHistoryParams) {
    const asOf = await this.past.of(by, p);
    if (!asOf) return this.present(by, p, await this.queries.execute(new GetMessageHistory(by, p.message_id)));
    const past = await this.queries.execute(new GetPastHistory(asOf, p.message_id));
    const parameters = { message_id: p.message_id };
    const results = past.revisions.length;
    await this.past.answered(by, asOf, p, { endpoint: 'GET /messages/{message_id}/history', parameters, results });
    return { ...(await this.present(by, p, past)), as_of_position: asOf.position };
  }

  /** contract/messages.md section 4.4 */
  @Endpoint('GET', 'messages/:message_id/read_receipts', {
    audience: 'anyone',
    section: 'messages 4.4',
    summary: 'Users who have read a message',
    returns: t.Object({ user_ids: t.Array(userId) }),
  })
  async readReceipts(@By() by: Actor, @Params(ReadReceiptsParams) { message_id }: ReadReceiptsParams) {
    return { user_ids: await this.queries.execute(new GetReadReceipts(by, message_id)) };
  }

  private async present(by: Actor, p: MessageHistoryParams, history: MessageHistory) {
    const [sent, ...changes] = history.revisions;
    const rendered = new Renderings(history.realmId, history.imagePreviews, history.images);
    const write = { rendered, asker: askerOf(by), allowEmpty: p.allow_empty_topic_name, history };
    const texts = sent ? [await written(sent, write)] : [];
    const latest: string[] = [];
    for (let room = MAX_ANSWER_BYTES; changes.length > 0 && !rendered.isSpent;) {
      const text = await written(changes.pop() as Revision, write);
      room -= Buffer.byteLength(text);
      if (room < 0) break;
      latest.push(text);
    }
    return { message_history: new ReadyJson(`[${[...texts, ...latest.reverse()].join()}]`) };
  }
}

interface Writing {
  readonly rendered: Renderings;
  readonly asker: string;
  readonly allowEmpty: boolean;
  readonly history: MessageHistory;
}

/** An entry as JSON. Comparing two long texts takes a while, so each step waits for the asker's turn. */
async function written(revision: Revision, { rendered, asker, allowEmpty, history }: Writing): Promise<string> {
  const { text, change } = revision;
  const edit = history.showsTexts ? (change?.edit ?? null) : null;
  const html = await rendered.ahead(text, asker);
  const [before, after] = edit
    ? [await rendered.ahead(edit.previous, asker), await rendered.ahead(edit.current, asker)]
    : [];
  const texts = {
    content: sourceOf(text),
    rendered_content: html,
    ...(edit && {
      prev_content: sourceOf(edit.previous),
      prev_rendered_content: before,
      content_html_diff: await rendered.work(asker, () => htmlDiff(before ?? '', after ?? '')),
    }),
  };
  return rendered.work(asker, () => JSON.stringify({ ...present(revision, allowEmpty), ...texts }));
}

/** All fields but texts. The topic is the one after the change. */
function present({ by, at, topic, change }: Revision, allowEmpty: boolean) {
  const move = change?.move;
  return {
    topic: topic === null ? '' : shownTopic(topic, allowEmpty),
    ...(move && isTopicChanged(move) && { prev_topic: shownTopic(move.from.topic, allowEmpty) }),
    ...(move && isChannelChanged(move) && { stream: move.to.channelId, prev_stream: move.from.channelId }),
    timestamp: unixSeconds(at),
    user_id: by,
  };
}
