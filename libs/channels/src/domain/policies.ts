import type { Actor, GroupSetting, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, isAdministrator, isOwner, permits, refused } from '@annals/kernel/domain';
import type { ChannelPrivacy, Reader } from './access';
import { administers, seesContent } from './access';
import type { ChannelWish } from './wish';
import { reject } from './rejections';
import type { SystemGroupIds } from './settings';

/** What the organization says about new channels. */
export interface CreationRules {
  /** Whether the wished name belongs to another channel already, archived ones included. */
  readonly nameTaken: boolean;
  readonly canCreatePublic: GroupSetting;
  readonly canCreatePrivate: GroupSetting;
  readonly canSetTopicsPolicy: GroupSetting;
  readonly canSetDeleteMessagePolicy: GroupSetting;
  readonly systemGroups: SystemGroupIds;
}

const noGuests = { guests: false };

/** Whether this actor may create such a channel (contract/channels.md section 2, order of failures). */
export function mayCreate(wish: ChannelWish, actor: Actor, rules: CreationRules): Verdict {
  if (rules.nameTaken) return refused(reject.nameTaken({ channel_name: wish.name }));
  const creators = wish.inviteOnly ? rules.canCreatePrivate : rules.canCreatePublic;
  if (!permits(creators, actor, noGuests)) {
    return refused(wish.inviteOnly ? reject.mayNotCreatePrivate() : reject.mayNotCreatePublic());
  }
  if (wish.isDefault && !isAdministrator(actor)) return refused(reject.administratorNeededForDefault());
  if (wish.isDefault && wish.inviteOnly) return refused(reject.privateDefault());
  if (wish.isWebPublic) return refused(wish.inviteOnly ? reject.webPublicPrivate() : reject.webPublicDisabled());
  // There are no folders yet, so no id can be known.
  if (wish.folderId !== null) return refused(reject.unknownFolder());
  if (wish.topicsPolicy !== 'inherit' && !permits(rules.canSetTopicsPolicy, actor, { guests: true })) {
    return refused(reject.mayNotSetTopicsPolicy());
  }
  if (wish.messageRetentionDays !== null && !isOwner(actor)) return refused(reject.ownerNeededForRetention());
  return maySetPermissions(wish, actor, rules);
}

/** Rules between settings, beside those of each single value (contract/permissions.md section 4, extra rules). */
function maySetPermissions(wish: ChannelWish, actor: Actor, rules: CreationRules): Verdict {
  const { settings } = wish;
  for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group'] as const) {
    const wished = settings[name];
    if (wished === undefined || wished === rules.systemGroups.nobody) continue;
    if (!permits(rules.canSetDeleteMessagePolicy, actor, noGuests)) return refused(reject.mayNotSetDeletePermissions());
  }
  const topics = settings.can_create_topic_group;
  const isProtected = wish.inviteOnly && !(wish.historyPublicToSubscribers ?? false);
  if (!isProtected || topics === undefined) return allowed;
  return allowedIf(topics === rules.systemGroups.everyone, () =>
    reject.topicsOfProtectedHistory({ parameters: 'history_public_to_subscribers, can_create_topic_group' }),
  );
}

/** Whether the actor may subscribe other people to a channel that they can read (contract/subscriptions.md section 2.1). */
export function maySubscribeOthers(
  channel: ChannelPrivacy,
  actor: Reader,
  isSubscribed: boolean,
  canAddSubscribers: GroupSetting,
): Verdict {
  const may =
    seesContent(channel, actor, isSubscribed) &&
    (permits(canAddSubscribers, actor, noGuests) ||
      administers(channel, actor) ||
      permits(channel.settings.can_add_subscribers_group, actor, noGuests));
  return allowedIf(may, reject.mayNotSubscribeOthers);
}
