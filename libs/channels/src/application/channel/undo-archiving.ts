import type { Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, eventsOfAppend, laterEvents, undoChanges, undoConflicts } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { ensure, isAdministrator } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Archived, DefaultChanged, Unarchived } from '../../domain/events';
import { mayAdminister } from '../../domain/policies';
import { Administration } from './administration';
import { ChannelChanges } from './change-channel';

/** Unarchives a channel, and makes it a default channel again (contract/audit.md section 11). */
@Injectable()
export class UndoArchiving implements Undoer {
  readonly types = [Archived.type];

  constructor(
    private readonly kernel: Kernel,
    private readonly administration: Administration,
    private readonly channels: ChannelChanges,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    const { channelId } = (event as Recorded<Archived>).data;
    const { channel, isSubscribed } = await this.administration.channel(work, channelId);
    ensure(mayAdminister(channel, work.actor, isSubscribed));
    const later = await laterEvents(this.kernel.events, event, [Archived.type, Unarchived.type]);
    if (later.length > 0) return { changes: [], conflicts: undoConflicts('channel', { changed: [channelId] }) };
    const wasDefault = (await eventsOfAppend(this.kernel.events, event)).some(
      ({ type, stream }) => type === DefaultChanged.type && stream === event.stream,
    );
    const mayBeDefault = isAdministrator(work.actor);
    await this.channels.change(work, channelId, {
      isArchived: false,
      ...(wasDefault && mayBeDefault && { isDefault: true }),
      settings: {},
      expected: {},
    });
    return {
      changes: [
        ...undoChanges('channel', [channelId], { property: 'is_archived', before: true, after: false }),
        ...undoChanges('channel', wasDefault && mayBeDefault ? [channelId] : [], {
          property: 'is_default',
          before: false,
          after: true,
        }),
      ],
      conflicts: undoConflicts('channel', { not_allowed: wasDefault && !mayBeDefault ? [channelId] : [] }),
    };
  }
}
