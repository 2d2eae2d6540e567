import type { Actor, GroupSetting, Verdict } from '@annals/kernel/domain';
import { allowedIf, isAdministrator, isOwner, permits, refused } from '@annals/kernel/domain';
import type { ChannelPrivacy, Reader } from './access';
import { administers, seesContent } from './access';
import type { ChannelWish, WishedProperties } from './wish';
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
  const possible = mayExist(wish, rules.systemGroups);
  if (!possible.allowed) return possible;
  if (wish.topicsPolicy !== 'inherit' && !permits(rules.canSetTopicsPolicy, actor, { guests: true })) {
    return refused(reject.mayNotSetTopicsPolicy());
  }
  if (wish.messageRetentionDays !== null && !isOwner(actor)) return refused(reject.ownerNeededForRetention());
  return maySetDeletePermissions(wish, actor, rules);
}

/** Whether there can be such a channel, whoever creates it and whatever its name. */
export function mayExist(wish: WishedProperties, systemGroups: SystemGroupIds): Verdict {
  if (wish.isDefault && wish.inviteOnly) return refused(reject.privateDefault());
  if (wish.isWebPublic) return refused(wish.inviteOnly ? reject.webPublicPrivate() : reject.webPublicDisabled());
  // There are no folders yet, so no id can be known.
  if (wish.folderId !== null) return refused(reject.unknownFolder());
  const topics = wish.settings.can_create_topic_group;
  const isProtected = wish.inviteOnly && !(wish.historyPublicToSubscribers ?? false);
  // Contract/permissions.md section 4, extra rules.
  return allowedIf(!isProtected || topics === undefined || topics === systemGroups.everyone, () =>
    reject.topicsOfProtectedHistory({ parameters: 'history_public_to_subscribers, can_create_topic_group' }),
  );
}

/** Who may decide about the deletion of messages (contract/permissions.md section 4, extra rules). */
function maySetDeletePermissions({ settings }: ChannelWish, actor: Actor, rules: CreationRules): Verdict {
  const isWished = (['can_delete_any_message_group', 'can_delete_own_message_group'] as const).some(
    (name) => settings[name] !== undefined && settings[name] !== rules.systemGroups.nobody,
  );
  const may = !isWished || permits(rules.canSetDeleteMessagePolicy, actor, noGuests);
  return allowedIf(may, reject.mayNotSetDeletePermissions);
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
