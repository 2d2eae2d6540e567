import { Kernel, undoChanges, undoConflicts } from '@annals/kernel';
import type { UndoChange, Undoer, Undone, Work } from '@annals/kernel';
import type { MessageId, Recorded } from '@annals/kernel/domain';
import { ensure, grouped } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { Deletable } from '../../domain/deletion';
import { MessagesMoved, TopicMoved } from '../../domain/events';
import { messageAggregate } from '../../domain/message/message';
import type { MoveRequest } from '../../domain/move/move';
import { mayBeMoved, mayBeNamed } from '../../domain/move/move-policies';
import { toggledResolution } from '../../domain/move/resolving';
import { reject } from '../../domain/rejections';
import { readDeletable } from '../../read/upkeep/deletable';
import { MessageAccess } from '../access/message-access';
import { ReadableChannels } from '../access/readable-channels';
import { Deletions } from '../delete/deletions';
import type { MoveContext, MovedPart } from '../move/move-context';
import { MoveContextLoader } from '../move/move-context';
import { MoveExecutor } from '../move/move-executor';
import { MoveFollowUps } from '../move/move-follow-ups';
import type { MoveEvent } from '../../domain/move/move-event';
import { channelsOf } from '../../domain/move/move-event';
import type { ActOfMove } from './act-of-move';
import { ActsOfMoves } from './act-of-move';
import { VisibleMessages } from './visible-messages';

/** An undo posts no notices. */
const NO_NOTICES = { inOldTopic: false, inNewTopic: false, withText: true };

/**
 * Moves messages back that are still where a move brought them, and deletes the notices of the move (contract/audit.md
 * section 11). Marking a topic as resolved is such a move.
 */
@Injectable()
export class UndoMove implements Undoer {
  readonly types = [TopicMoved.type, MessagesMoved.type];

  constructor(
    private readonly kernel: Kernel,
    private readonly acts: ActsOfMoves,
    private readonly access: MessageAccess,
    private readonly channels: ReadableChannels,
    private readonly visible: VisibleMessages,
    private readonly contexts: MoveContextLoader,
    private readonly deletions: Deletions,
    private readonly executor: MoveExecutor,
    private readonly followUps: MoveFollowUps,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    const isOpen = await this.ensureAccess(work, event as MoveEvent);
    const act = await this.acts.of(work, event as MoveEvent);
    const { inPlace, movedSince, deletedSince } = act.remains;
    const seen = await this.visible.among(work, [...(isOpen ? [] : inPlace), ...movedSince, ...deletedSince]);
    const isSeen = (id: MessageId) => seen.has(id);
    const conflicts = undoConflicts('message', {
      changed: movedSince.filter(isSeen),
      deleted: deletedSince.filter(isSeen),
    });
    // Messages that the actor cannot see stay, and are not named.
    const [first] = isOpen ? inPlace : inPlace.filter(isSeen);
    if (first === undefined) {
      if (conflicts.length === 0) throw reject.unknownMessage();
      return { changes: [], conflicts };
    }
    const notices = await this.notices(work, act);
    const moved = await this.moveBack(work, event as MoveEvent, act, notices, first);
    return {
      changes: [
        ...changesOf(act, moved),
        ...undoChanges(
          'message',
          notices.map(({ id }) => id),
          { property: 'is_deleted', before: false, after: true },
        ),
      ],
      conflicts,
    };
  }

  /**
   * Both channels are checked as those of a message that is moved by hand, whatever is left of the act.
   *
   * @returns whether who can read the channel can see all messages that are there
   */
  private async ensureAccess(work: Work, event: MoveEvent): Promise<boolean> {
    const { from, to } = channelsOf(event);
    const present = await this.channels.of(work, to);
    if (!present || present.isArchived) throw reject.unknownMessage();
    const former = await this.channels.of(work, from);
    if (!former) throw reject.unknownChannel();
    if (former.isArchived) throw reject.targetArchived();
    return present.historyPublicToSubscribers;
  }

  /** @returns the messages that moved: those that the actor can see */
  private async moveBack(
    work: Work,
    event: MoveEvent,
    { origin, names, target, remains }: ActOfMove,
    notices: readonly Deletable[],
    first: MessageId,
  ): Promise<readonly MessageId[]> {
    await this.access.ensure(work, first);
    const message = await work.read(messageAggregate, first);
    if (!message) throw reject.unknownMessage();
    const move: MoveRequest = {
      messageId: first,
      mode: event.data.mode,
      from: target,
      to: origin,
      names,
      togglesResolved: toggledResolution(target.name, origin.name),
    };
    const { settings } = await organization(work);
    const context = await this.contexts.of(work, move, message.sentAt, settings, partOf(remains.inPlace, notices));
    ensure(mayBeNamed(move, context.facts, work.at));
    ensure(mayBeMoved(move, context.facts, work.at));
    for (const those of byChannel(notices)) await this.deletions.apply(work, those);
    const result = await this.executor.apply(work, asMoved(context));
    await this.followUps.run(work, result, message.senderId, NO_NOTICES);
    return this.contexts.going(work, context, remains.inPlace);
  }

  /** The notices of the move that are still there. */
  private async notices(work: Work, { notices }: ActOfMove): Promise<Deletable[]> {
    const found: Deletable[] = [];
    for (const id of notices) {
      const notice = await readDeletable(this.kernel.database.pool, work.realmId, id);
      if (notice) found.push(notice);
    }
    return found;
  }
}

const partOf = (only: readonly MessageId[], notices: readonly Deletable[]): MovedPart => ({
  only,
  without: notices.flatMap(({ id, place }) => ('topicId' in place ? [{ id, topicId: place.topicId }] : [])),
});

/** Clients treat a topic as moved as a whole only if nothing of it stays. */
function asMoved(context: MoveContext): MoveContext {
  const isPart = context.found.some(({ going, total }) => going > 0 && going < total);
  return context.move.mode === 'change_all' && isPart
    ? { ...context, move: { ...context.move, mode: 'change_later' } }
    : context;
}

const byChannel = (notices: readonly Deletable[]): Deletable[][] => [
  ...grouped(notices, ({ place }) => ('channelId' in place ? place.channelId : 0)).values(),
];

function changesOf({ origin, target }: ActOfMove, moved: readonly MessageId[]): UndoChange[] {
  const channels = { property: 'channel_id', before: target.channelId, after: origin.channelId };
  const names = { property: 'topic', before: target.name, after: origin.name };
  return [channels, names]
    .filter(({ before, after }) => before !== after)
    .flatMap((change) => undoChanges('message', moved, change));
}
