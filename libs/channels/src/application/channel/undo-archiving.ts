import type { Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, eventsOfAppend, laterEvents, undoChanges, undoConflicts } from '@annals/kernel';
import type { ChannelId, Recorded } from '@annals/kernel/domain';
import { ensure, isAdministrator } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { DefaultGroupReduced } from '../../domain/default-groups/default-group-events';
import { DefaultGroupReduced as Reduced } from '../../domain/default-groups/default-group-events';
import {
  DEFAULT_GROUPS,
  defaultGroupsAggregate,
  returnToDefaultGroups,
} from '../../domain/default-groups/default-groups';
import { Archived, DefaultChanged, Unarchived } from '../../domain/events';
import { mayAdminister } from '../../domain/policies';
import { Administration } from './administration';
import { ChannelChanges } from './change-channel';

/** Unarchives a channel, and makes it a default channel again and one of its groups (contract/audit.md section 11). */
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
    const act = await eventsOfAppend(this.kernel.events, event);
    const wasDefault = act.some(({ type, stream }) => type === DefaultChanged.type && stream === event.stream);
    const mayBeDefault = isAdministrator(work.actor);
    await this.channels.change(work, channelId, {
      isArchived: false,
      ...(wasDefault && mayBeDefault && { isDefault: true }),
      settings: {},
      expected: {},
    });
    if (mayBeDefault) await returnToGroups(work, channelId, act);
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

/** The archiving took the channel out of its groups of default channels. */
async function returnToGroups(work: Work, channelId: ChannelId, act: readonly Recorded[]): Promise<void> {
  const left = act.filter(({ type }) => type === Reduced.type) as Recorded<DefaultGroupReduced>[];
  const groupIds = left.map(({ data }) => data.groupId);
  await work.decide(defaultGroupsAggregate, DEFAULT_GROUPS, (groups) =>
    returnToDefaultGroups(groups, channelId, groupIds),
  );
}
