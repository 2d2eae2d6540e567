import { createHash } from 'node:crypto';
import type { FileRow } from '@annals/files';
import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME, organization } from '@annals/realm';
import type { RealmSettings } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Place } from '../../domain/events';
import type { Inspected, Message } from '../../domain/message/message';
import { editContent, mayEditContent, messageAggregate, unlessMoved } from '../../domain/message/message';
import type { EditWish, NamedPlace } from '../../domain/move/move';
import { wishedMove } from '../../domain/move/move';
import { mayBeMoved, mayBeNamed } from '../../domain/move/move-policies';
import { reject } from '../../domain/rejections';
import { editedContent } from '../../domain/message/text';
import { topicAggregate } from '../../domain/topic';
import type { MoveNotices } from '../move/move-follow-ups';
import { AfterMoving } from '../move/move-follow-ups';
import { DetachedFiles } from './detached-files';
import { Inspection } from '../send/content-analysis';
import { Mentioning } from '../send/mentioning';
import { MoveGrounds } from '../move/move-context';
import { Moving } from '../move/move-executor';
import { WithinReach } from '../access/message-access';

/** What came of an edit. */
export interface Edited {
  /** Files of the actor that no message names any more. */
  readonly detached: readonly FileRow[];
}

/** Changes the text of a message, its topic and its channel, whatever of it is wished, or nothing (INTERFACE.md 4.1). */
export class EditMessage extends Command<Edited> {
  constructor(
    readonly by: Actor,
    readonly messageId: MessageId,
    readonly wish: EditWish,
    /** Lower-case hex SHA-256 of the text the client edited, for refusing what others changed meanwhile. */
    readonly previousDigest: string | null,
    readonly notices: MoveNotices,
  ) {
    super();
  }
}

/** A message that the actor may see, with where it is now. */
interface Editable {
  readonly message: Message;
  readonly place: Place;
  /** Null for a direct message. */
  readonly at: NamedPlace | null;
}

@CommandHandler(EditMessage)
export class EditMessageHandler implements ICommandHandler<EditMessage> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly reach: WithinReach,
    private readonly inspection: Inspection,
    private readonly mentioning: Mentioning,
    private readonly grounds: MoveGrounds,
    private readonly moving: Moving,
    private readonly after: AfterMoving,
    private readonly detachedFiles: DetachedFiles,
  ) {}

  execute(command: EditMessage): Promise<Edited> {
    return this.work.run(command.by, (work) => this.edit(work, command));
  }

  /** In the order of contract/messages.md section 5.1. */
  private async edit(work: Work, { messageId, wish, previousDigest, notices }: EditMessage): Promise<Edited> {
    const { settings } = await organization(work);
    const { message, place, at } = await this.message(work, messageId);
    if (wish.content !== undefined) ensure(mayEditContent(message, work.actor, rulesOf(settings), work.at));
    const move = wishedMove(messageId, wish, at, EMPTY_TOPIC_DISPLAY_NAME);
    ensure(unlessMoved(message, previousDigest, sha256));
    const ground = move && (await this.grounds.of(work, move, message.sentAt, settings));
    if (move && ground) ensure(mayBeNamed(move, ground.facts, work.at));
    const text = wish.content === undefined ? null : await this.text(work, wish.content, place, settings);
    if (move && ground) ensure(mayBeMoved(move, ground.facts, work.at));
    const detached = text ? await this.replace(work, message, text) : [];
    if (move && ground) {
      const moved = await this.moving.carryOut(work, move, ground);
      await this.after.follow(work, moved, message.senderId, { ...notices, withText: text !== null });
    }
    return { detached };
  }

  /** @returns files of the actor that no message names any more */
  private async replace(work: Work, message: Message, text: Inspected): Promise<readonly FileRow[]> {
    const edits = await work.decide(messageAggregate, message.id, () => editContent(message, text));
    return edits.length === 0 ? [] : this.detachedFiles.by(work, message.id, text.facts.files);
  }

  /** What the actor may not see is not there, and messages of archived channels are not there for changes. */
  private async message(work: Work, id: MessageId): Promise<Editable> {
    const message = await work.read(messageAggregate, id);
    const place = await this.reach.ensure(work, id);
    if (!message) throw reject.unknownMessage();
    if (!('topicId' in place)) return { message, place, at: null };
    const topic = await work.read(topicAggregate, place.topicId);
    if (!topic) throw reject.unknownMessage();
    return { message, place, at: { channelId: topic.channelId, name: topic.name ?? `topic ${topic.id}` } };
  }

  private async text(work: Work, content: string, place: Place, settings: RealmSettings): Promise<Inspected> {
    const text = await this.inspection.of(editedContent(content), work.actor, place);
    const inTopic = 'topicId' in place ? { channelId: place.channelId, topicIds: [place.topicId] } : null;
    return this.mentioning.allowed(text, work.actor, settings, inTopic);
  }
}

const rulesOf = (settings: RealmSettings) => ({
  allowEditing: settings.allow_message_editing,
  limitSeconds: settings.message_content_edit_limit_seconds,
});

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
