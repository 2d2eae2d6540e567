import { GroupNotices } from '@annals/groups';
import type { Work } from '@annals/kernel';
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@annals/realm';
import type { GroupId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { group as named, notice } from '../../domain/message/notice-text';
import { Notices } from './notices';

/** Notices about user groups. */
@Injectable()
export class GroupNoticesByBot extends GroupNotices {
  constructor(private readonly notices: Notices) {
    super();
  }

  override async membersChanged(
    work: Work,
    { id, name }: { readonly id: GroupId; readonly name: string },
    added: readonly UserId[],
    removed: readonly UserId[],
  ): Promise<void> {
    // As for channels, one append must not contain messages to everybody (contract/subscriptions.md section 2.2).
    if (added.length + removed.length > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return;
    const [joined, left] = [await this.notices.otherHumans(work, added), await this.notices.otherHumans(work, removed)];
    if (joined.length + left.length === 0) return;
    const by = await this.notices.actor(work);
    const group = named(id, name, name);
    await this.notices.notify(work, joined, () => notice`${by} added you to the group ${group}.`);
    await this.notices.notify(work, left, () => notice`${by} removed you from the group ${group}.`);
  }
}
