import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChangedAuditRight } from '@annals/realm';
import { SettingNotices } from '@annals/realm';
import { readOwners } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { NoticeText } from '../../domain/message/notice-text';
import { join, notice } from '../../domain/message/notice-text';
import { ChannelChangeTexts } from './channel-change-texts';
import { Notices } from './notices';

const RIGHTS: Readonly<Record<ChangedAuditRight['setting'], string>> = {
  can_audit_group: 'who can read the history of the organization',
  can_audit_content_group:
    'who can read in the history what people wrote, also in private channels and direct messages',
  can_manage_holds_group: 'who can hold and erase what people wrote',
};

/** Notices about settings of the organization. */
@Injectable()
export class SettingNoticesByBot extends SettingNotices {
  constructor(
    private readonly kernel: Kernel,
    private readonly notices: Notices,
    private readonly texts: ChannelChangeTexts,
  ) {
    super();
  }

  override async auditRightsChanged(work: Work, changes: readonly ChangedAuditRight[]): Promise<void> {
    const owners = await readOwners(this.kernel.database.pool, work.realmId);
    const by = await this.notices.actor(work);
    const lines: NoticeText[] = [];
    for (const { setting, before, after } of changes) {
      const [from, to] = [await this.texts.holders(work, before), await this.texts.holders(work, after)];
      lines.push(notice`${by} changed ${RIGHTS[setting]}: from ${from} to ${to}.`);
    }
    await this.notices.notify(work, owners, () => join(lines, '\n\n'));
  }
}
