import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { MutedMessages } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { flagsChanged } from '../../domain/flags/flag-changes';
import { readingStream } from '../../domain/flags/flag-events';
import { NarrowResolver } from '../../read/narrow/narrow-resolver';
import { MessageFinder } from '../../read/query/message-finder';

/** Maximum of messages that become read because their sender is muted. */
const MAX_MARKED = 50_000;

/** Marks the unread messages of a user whom the actor mutes as read (contract/messages.md section 8). */
@Injectable()
export class MarkMutedMessages extends MutedMessages {
  constructor(
    private readonly finder: MessageFinder,
    private readonly narrows: NarrowResolver,
  ) {
    super();
  }

  override async markRead(work: Work, sender: UserId): Promise<void> {
    const narrow = await this.narrows.resolve(work.actor, [
      { condition: { kind: 'sender', sender }, negated: false },
      { condition: { kind: 'unread' }, negated: false },
    ]);
    const range = { after: 0, before: Number.MAX_SAFE_INTEGER };
    const found = await this.finder.find(work.actor, { narrow, range, order: 'newest first', limit: MAX_MARKED });
    const { userId } = work.actor;
    work.append(readingStream(userId), flagsChanged(userId, { flag: 'read', op: 'add' }, found.reverse()));
  }
}
