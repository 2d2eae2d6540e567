import { createHash } from 'node:crypto';
import type { FileRow } from '@annals/files';
import type { Work } from '@annals/kernel';
import type { MessageId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME, organization } from '@annals/realm';
import type { RealmSettings } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { Place } from '../../domain/events';
import type { AnalyzedContent, Message } from '../../domain/message/message';
import {
  editContent,
  hasEditableText,
  mayEditContent,
  messageAggregate,
  unlessContentChanged,
} from '../../domain/message/message';
import type { MessagePatch, NamedPlace } from '../../domain/move/move';
import { requestedMove } from '../../domain/move/move';
import { mayBeMoved, mayBeNamed } from '../../domain/move/move-policies';
import { reject } from '../../domain/rejections';
import { editedContent } from '../../domain/message/text';
import { topicAggregate } from '../../domain/topic';
import type { MoveNotices } from '../move/move-follow-ups';
import { MoveFollowUps } from '../move/move-follow-ups';
import { DetachedFiles } from './detached-files';
import { ContentAnalysis } from '../send/content-analysis';
import { Mentioning } from '../send/mentioning';
import type { MoveContext } from '../move/move-context';
import { MoveContextLoader } from '../move/move-context';
import { MoveExecutor } from '../move/move-executor';
import { MessageAccess } from '../access/message-access';

/** The outcome of an edit. */
export interface Edited {
  /** Files of the actor to which no message links any more. */
  readonly detached: readonly FileRow[];
}

/** What is to change about a message. */
export interface EditRequest {
  readonly messageId: MessageId;
  readonly patch: MessagePatch;
  /**
   * Lower-case hex SHA-256 of the text that the client edited. The edit is refused if others have changed it
   * meanwhile.
   */
  readonly previousDigest: string | null;
  readonly notices: MoveNotices;
}

/** A message that the actor may see, with its present place. */
interface Editable {
  readonly message: Message;
  readonly place: Place;
  /** Null for a direct message. */
  readonly at: NamedPlace | null;
}

/** The changes of an edit that is allowed. Null where nothing changes. */
interface AllowedEdit {
  readonly text: AnalyzedContent | null;
  readonly move: MoveContext | null;
}

/** Edits messages within a unit of work. */
@Injectable()
export class Editor {
  constructor(
    private readonly access: MessageAccess,
    private readonly analysis: ContentAnalysis,
    private readonly mentioning: Mentioning,
    private readonly contexts: MoveContextLoader,
    private readonly executor: MoveExecutor,
    private readonly followUps: MoveFollowUps,
    private readonly detachedFiles: DetachedFiles,
  ) {}

  /** Checks everything, then writes. @throws Rejected in the order of contract/messages.md section 5.1 */
  async edit(work: Work, request: EditRequest): Promise<Edited> {
    const { message, place, at } = await this.message(work, request.messageId);
    const { text, move } = await this.allowed(work, request, { message, place, at });
    const detached = text ? await this.replace(work, message, text) : [];
    if (move) {
      const result = await this.executor.apply(work, move);
      await this.followUps.run(work, result, message.senderId, { ...request.notices, withText: text !== null });
    }
    return { detached };
  }

  /**
   * All refusals of an edit, its move included, in the order of contract/messages.md section 5.1. Step 1 is `message`.
   *
   * @throws Rejected
   */
  private async allowed(
    work: Work,
    { messageId, patch, previousDigest }: EditRequest,
    { message, place, at }: Editable,
  ): Promise<AllowedEdit> {
    const { settings } = await organization(work);
    // Step 2
    if (patch.content !== undefined) ensure(mayEditContent(message, work.actor, rulesOf(settings), work.at));
    // Steps 3 and 4
    const request = requestedMove(messageId, patch, at, EMPTY_TOPIC_DISPLAY_NAME);
    if (patch.content !== undefined) ensure(hasEditableText(message));
    // Step 5
    ensure(unlessContentChanged(message, previousDigest, sha256));
    // Step 6
    const move = request && (await this.contexts.of(work, request, message.sentAt, settings));
    // Steps 7 to 9
    if (move) ensure(mayBeNamed(move.move, move.facts, work.at));
    // Step 10
    const text = patch.content === undefined ? null : await this.text(work, patch.content, place, settings);
    // Steps 11 to 13
    if (move) ensure(mayBeMoved(move.move, move.facts, work.at));
    return { text, move };
  }

  /** @returns files of the actor to which no message links any more */
  private async replace(work: Work, message: Message, text: AnalyzedContent): Promise<readonly FileRow[]> {
    const edits = await work.decide(messageAggregate, message.id, () => editContent(message, text));
    return edits.length === 0 ? [] : this.detachedFiles.by(work, message.id, text.facts.files);
  }

  /** @throws Rejected BAD_REQUEST for a message that the actor cannot see, as for one that does not exist, and in archived channels */
  private async message(work: Work, id: MessageId): Promise<Editable> {
    const message = await work.read(messageAggregate, id);
    const place = await this.access.ensure(work, id);
    if (!message) throw reject.unknownMessage();
    if (!('topicId' in place)) return { message, place, at: null };
    const topic = await work.read(topicAggregate, place.topicId);
    if (!topic) throw reject.unknownMessage();
    return { message, place, at: { channelId: topic.channelId, name: topic.name ?? `topic ${topic.id}` } };
  }

  private async text(work: Work, content: string, place: Place, settings: RealmSettings): Promise<AnalyzedContent> {
    const text = await this.analysis.of(editedContent(content), work.actor, place);
    const inTopic = 'topicId' in place ? { channelId: place.channelId, topicIds: [place.topicId] } : null;
    return this.mentioning.allowed(text, work.actor, settings, inTopic);
  }
}

const rulesOf = (settings: RealmSettings) => ({
  allowEditing: settings.allow_message_editing,
  limitSeconds: settings.message_content_edit_limit_seconds,
});

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
