import { channelAggregate } from '@annals/channels';
import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Notices, notice, person } from '@annals/messages';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { NewcomerNotices } from './newcomer-notices';

/** Topic of the announcements. */
const TOPIC = 'signups';

/** Announces people who join, in the channel that the organization has chosen for it. */
@Injectable()
export class SignupAnnouncements extends NewcomerNotices {
  constructor(private readonly notices: Notices) {
    super();
  }

  /** Nothing is announced without such a channel. */
  override async joined(work: Work, { userId, fullName }: { userId: UserId; fullName: string }): Promise<void> {
    const { settings } = await organization(work);
    const id = settings.signup_announcements_stream_id;
    const channel = id === null ? null : await work.read(channelAggregate, id);
    if (!channel || channel.isArchived) return;
    const name = person({ userId, fullName: fullName.trim() });
    await this.notices.post(work, channel.id, TOPIC, notice`${name} joined this organization.`);
  }
}
