import type { ChannelChange, ChannelKind, TopicsPolicy } from '@annals/channels';
import { GroupFacts, displayName } from '@annals/groups';
import type { Work } from '@annals/kernel';
import type { GroupId, GroupSetting } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { NoticeText } from '../../domain/message/notice-text';
import { code, group, join, notice, person, quote } from '../../domain/message/notice-text';
import { Notices } from './notices';

/** Texts of notices about changes of a channel, with the values before and after (contract/channels.md section 5). */
@Injectable()
export class ChannelChangeTexts {
  constructor(
    private readonly notices: Notices,
    private readonly groups: GroupFacts,
    private readonly users: UserFacts,
  ) {}

  async of(work: Work, change: ChannelChange): Promise<NoticeText> {
    const by = await this.notices.actor(work);
    switch (change.kind) {
      case 'name':
        return notice`${by} renamed this channel from ${code(change.before)} to ${code(change.after)}.`;
      case 'description':
        return notice`${by} changed the description of this channel.\n\n${described('Before', change.before)}\n\n${described('Now', change.after)}`;
      case 'privacy':
        return notice`${by} made this channel ${kindOf(change.after)}. It was ${kindOf(change.before)}.`;
      case 'posting':
        return notice`${by} changed who can send messages in this channel: from ${await this.holders(work, change.before)} to ${await this.holders(work, change.after)}.`;
      case 'retention':
        return notice`${by} changed how long messages of this channel are kept: from ${kept(change.before)} to ${kept(change.after)}.`;
      case 'topics policy':
        return notice`${by} changed the use of topics in this channel: from ${TOPICS[change.before]} to ${TOPICS[change.after]}.`;
      case 'archived':
        return notice`${by} archived this channel.`;
      case 'unarchived':
        return notice`${by} took this channel out of the archive.`;
    }
  }

  /** The groups and users of a permission. */
  async holders({ realmId }: Work, setting: GroupSetting): Promise<NoticeText> {
    const value = typeof setting === 'number' ? { directMembers: [], directSubgroups: [setting] } : setting;
    const groups = await this.groups.of(realmId);
    const named = (id: GroupId): NoticeText[] => {
      const found = groups.get(id);
      return found ? [group(id, found.name, displayName(found))] : [];
    };
    const accounts = await this.users.accounts(realmId, value.directMembers);
    return join([...value.directSubgroups.flatMap(named), ...[...accounts.values()].map(person)], ', ');
  }
}

const described = (when: string, text: string): string => (text === '' ? `${when}: none.` : `${when}:\n${quote(text)}`);

const kept = (days: number | null): string => {
  if (days === null) return '**as long as the organization keeps messages**';
  return days === -1 ? '**for ever**' : days === 1 ? '**1 day**' : `**${days} days**`;
};

/** Description of a channel's privacy (contract/permissions.md section 6, shapes). */
export function kindOf({ inviteOnly, isWebPublic, historyPublicToSubscribers }: ChannelKind): string {
  if (isWebPublic) return '**web-public**';
  if (!inviteOnly) return '**public**';
  return historyPublicToSubscribers ? '**private, with shared history**' : '**private, with protected history**';
}

const TOPICS: Readonly<Record<TopicsPolicy, string>> = {
  inherit: '**as the organization has it**',
  allow_empty_topic: '**messages with or without a topic**',
  disable_empty_topic: '**a topic for every message**',
  empty_topic_only: '**no topics**',
};
