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
import { toggledResolution } from '../../domain/resolving';
import { reject } from '../../domain/rejections';
import { readDeletable } from '../../read/upkeep/deletable';
import { MessageAccess } from '../access/message-access';
import { Deletions } from '../delete/deletions';
import type { MoveContext, MovedPart } from '../move/move-context';
import { MoveContextLoader } from '../move/move-context';
import { MoveExecutor } from '../move/move-executor';
import { MoveFollowUps } from '../move/move-follow-ups';
import type { MoveEvent } from '../../domain/move/move-event';
import type { ActOfMove } from './act-of-move';
import { ActsOfMoves } from './act-of-move';

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
    private readonly contexts: MoveContextLoader,
    private readonly deletions: Deletions,
    private readonly executor: MoveExecutor,
    private readonly followUps: MoveFollowUps,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    const act = await this.acts.of(work, event as MoveEvent);
    const { inPlace, movedSince: changed, deletedSince: deleted } = act.remains;
    const [first] = inPlace;
    if (first === undefined) return { changes: [], conflicts: undoConflicts('message', { changed, deleted }) };
    const notices = await this.notices(work, act);
    const moved = new Set(await this.moveBack(work, event as MoveEvent, act, notices, first));
    return {
      changes: [
        ...changesOf(act, [...moved]),
        ...undoChanges(
          'message',
          notices.map(({ id }) => id),
          { property: 'is_deleted', before: false, after: true },
        ),
      ],
      // Messages that the actor cannot see stay.
      conflicts: undoConflicts('message', { changed, deleted, not_allowed: inPlace.filter((id) => !moved.has(id)) }),
    };
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
