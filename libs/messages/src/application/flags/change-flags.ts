import { ChannelFacts, memberKey, stillMember } from '@annals/channels';
import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { FlagChange, FlaggedNow, FlagRequest } from '../../domain/flags/flag-changes';
import { changedFlags, flagsChanged } from '../../domain/flags/flag-changes';
import { readingStream } from '../../domain/flags/flag-events';
import { readPlaces } from '../../read/history/places';
import { readMessageStates } from '../../read/unread/message-flags-query';
import { MessageStates } from '../../read/unread/message-states';

/**
 * Adds a flag to messages for the actor, or removes it (contract/messages.md section 8). Nothing is appended when
 * nothing changes.
 *
 * @returns the messages whose flag changed, and channels that were ignored
 * @throws Rejected BAD_REQUEST for a message that the actor cannot see, if the flag gives them a copy
 */
export class ChangeFlags extends Command<FlagChange> {
  constructor(
    readonly by: Actor,
    readonly messageIds: readonly number[],
    readonly request: FlagRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeFlags)
export class ChangeFlagsHandler implements ICommandHandler<ChangeFlags> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly channels: ChannelFacts,
    private readonly states: MessageStates,
  ) {}

  async execute({ by, messageIds, request }: ChangeFlags): Promise<FlagChange> {
    return this.work.run(by, async (work) => {
      const change = await this.changeOf(work, messageIds as readonly MessageId[], request);
      const { userId } = work.actor;
      work.append(readingStream(userId), flagsChanged(userId, request, change.changed));
      return change;
    });
  }

  /** Clients mark messages as read all the time, so only their unread state is read. */
  private async changeOf(work: Work, ids: readonly MessageId[], request: FlagRequest): Promise<FlagChange> {
    if (request.flag === 'read' && request.op === 'add') {
      return { changed: await this.states.unreadAmong(work.actor, ids), ignoredChannels: [] };
    }
    const visible = await this.visibleAmong(work.actor, ids);
    const change = changedFlags(request, ids, visible);
    if (request.flag === 'read') dependOnSubscriptions(work, visible, change);
    return change;
  }

  private async visibleAmong(by: Actor, ids: readonly MessageId[]): Promise<FlaggedNow[]> {
    const { pool } = this.kernel.database;
    const states = await readMessageStates(pool, by, ids);
    const places = await readPlaces(pool, by.realmId, ids);
    const own = await this.channels.subscribedBy(by.realmId, by.userId);
    return states.map((state) => {
      const place = places.now(state.id)?.place;
      const channelId = place && 'channelId' in place ? place.channelId : null;
      return { ...state, channelId, isSubscribed: channelId !== null && own.has(channelId) };
    });
  }
}

/** Messages become unread where the actor is subscribed: the append is refused if a subscription ended meanwhile. */
function dependOnSubscriptions(work: Work, visible: readonly FlaggedNow[], { changed }: FlagChange): void {
  const ids = new Set(changed);
  const channels = new Set(
    visible.flatMap(({ id, channelId }) => (channelId !== null && ids.has(id) ? [channelId] : [])),
  );
  for (const channel of channels) work.guard(stillMember, memberKey(channel, work.actor.userId));
}
