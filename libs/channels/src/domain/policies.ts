import type { Actor, GroupSetting, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, isAdministrator, isOwner, permits, refused } from '@annals/kernel/domain';
import type { ChannelPrivacy, Reader } from './channel/access';
import { administers, seesContent, seesMetadata } from './channel/access';
import type { ChannelInput, ChannelProperties } from './channel/channel-input';
import { reject } from './rejections';
import type { SystemGroupIds } from './channel/settings';

/** The rules of the server and the organization for channels. */
export interface ChannelRules {
  readonly canCreatePublic: GroupSetting;
  readonly canCreatePrivate: GroupSetting;
  readonly canCreateWebPublic: GroupSetting;
  /** Both the server and the organization permit web-public channels. */
  readonly webPublicEnabled: boolean;
  readonly canSetTopicsPolicy: GroupSetting;
  readonly canSetDeleteMessagePolicy: GroupSetting;
  readonly systemGroups: SystemGroupIds;
}

/** Facts about one new channel beside the rules. */
export interface CreationRules extends ChannelRules {
  /** Whether another channel, possibly an archived one, has the requested name. */
  readonly nameTaken: boolean;
  /** The requested folder of the channel. */
  readonly folder: FolderState;
}

/** The requested folder. */
export type FolderState = 'none' | 'unknown' | 'archived' | 'open';

const noGuests = { guests: false };

/** Whether this actor may create such a channel (contract/channels.md section 2, order of failures). */
export function mayCreate(input: ChannelInput, actor: Actor, rules: CreationRules): Verdict {
  if (rules.nameTaken) return refused(reject.nameTaken({ channel_name: input.name }));
  const kind = mayHaveKind(input, actor, rules);
  if (!kind.allowed) return kind;
  if (input.isDefault && !isAdministrator(actor)) return refused(reject.administratorNeededForDefault());
  const possible = mayExist(input, rules);
  if (!possible.allowed) return possible;
  if (input.isWebPublic) {
    const webPublic = mayMakeWebPublic(actor, rules);
    if (!webPublic.allowed) return webPublic;
  }
  if (input.topicsPolicy !== 'inherit') {
    const policy = maySetTopicsPolicy(actor, rules);
    if (!policy.allowed) return policy;
  }
  if (input.messageRetentionDays !== null) {
    const retention = maySetRetention(input.messageRetentionDays, actor);
    if (!retention.allowed) return retention;
  }
  return maySetDeletePermissions(input.settings, actor, rules);
}

/**
 * Whether the actor may choose how long messages of a channel are kept. A number of days is refused for everybody, because
 * nothing deletes old messages.
 *
 * @param days null for the setting of the organization, -1 for no limit
 */
export function maySetRetention(days: number | null, actor: Pick<Actor, 'role'>): Verdict {
  if (!isOwner(actor)) return refused(reject.ownerNeededForRetention());
  return allowedIf(days === null || days === -1, reject.retentionNotSupported);
}

/** Whether the actor may create channels with this privacy. */
export function mayHaveKind({ inviteOnly }: { readonly inviteOnly: boolean }, actor: Actor, rules: ChannelRules) {
  const creators = inviteOnly ? rules.canCreatePrivate : rules.canCreatePublic;
  return allowedIf(
    permits(creators, actor, noGuests),
    inviteOnly ? reject.mayNotCreatePrivate : reject.mayNotCreatePublic,
  );
}

/** Whether the actor may make a channel web-public. */
export const mayMakeWebPublic = (actor: Actor, rules: ChannelRules): Verdict =>
  allowedIf(permits(rules.canCreateWebPublic, actor, noGuests), reject.mayNotCreateWebPublic);

export const maySetTopicsPolicy = (actor: Actor, rules: ChannelRules): Verdict =>
  allowedIf(permits(rules.canSetTopicsPolicy, actor, { guests: true }), reject.mayNotSetTopicsPolicy);

/** Whether a channel with these properties is valid, independent of its creator and name. */
export function mayExist(
  input: ChannelProperties,
  rules: Pick<CreationRules, 'systemGroups' | 'webPublicEnabled' | 'folder'>,
): Verdict {
  if (input.isDefault && input.inviteOnly) return refused(reject.privateDefault());
  const shape = {
    ...input,
    historyPublicToSubscribers: !input.inviteOnly || (input.historyPublicToSubscribers ?? false),
  };
  const possible = mayBeShaped(shape, rules.webPublicEnabled);
  if (!possible.allowed) return possible;
  const inFolder = mayBeIn(rules.folder);
  if (!inFolder.allowed) return inFolder;
  return mayProtectHistory(shape, input.settings.can_create_topic_group ?? rules.systemGroups.everyone, rules);
}

/** The kinds of channels (contract/permissions.md section 6). */
export function mayBeShaped(
  shape: Pick<ChannelPrivacy, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>,
  webPublicEnabled: boolean,
): Verdict {
  if (shape.isWebPublic && !webPublicEnabled) return refused(reject.webPublicDisabled());
  if (shape.isWebPublic && shape.inviteOnly) return refused(reject.webPublicPrivate());
  if (shape.isWebPublic && !shape.historyPublicToSubscribers) return refused(reject.webPublicProtected());
  return allowedIf(shape.inviteOnly || shape.historyPublicToSubscribers, reject.publicProtected);
}

/** If history is protected, everyone may create topics (contract/permissions.md section 4, extra rules). */
export const mayProtectHistory = (
  shape: Pick<ChannelPrivacy, 'inviteOnly' | 'historyPublicToSubscribers'>,
  canCreateTopic: GroupSetting,
  { systemGroups }: Pick<ChannelRules, 'systemGroups'>,
): Verdict =>
  allowedIf(!shape.inviteOnly || shape.historyPublicToSubscribers || canCreateTopic === systemGroups.everyone, () =>
    reject.topicsOfProtectedHistory({ parameters: 'history_public_to_subscribers, can_create_topic_group' }),
  );

export function mayBeIn(folder: FolderState): Verdict {
  if (folder === 'unknown') return refused(reject.unknownFolder());
  return allowedIf(folder !== 'archived', reject.archivedFolder);
}

/** Whether the actor may set delete permissions (contract/permissions.md section 4, extra rules). */
export function maySetDeletePermissions(
  settings: ChannelInput['settings'],
  actor: Actor,
  rules: Pick<ChannelRules, 'canSetDeleteMessagePolicy' | 'systemGroups'>,
): Verdict {
  const isRequested = (['can_delete_any_message_group', 'can_delete_own_message_group'] as const).some(
    (name) => settings[name] !== undefined && settings[name] !== rules.systemGroups.nobody,
  );
  const may = !isRequested || permits(rules.canSetDeleteMessagePolicy, actor, noGuests);
  return allowedIf(may, reject.mayNotSetDeletePermissions);
}

/** Whether the actor may change the privacy of a channel (contract/channels.md section 5, access). */
export function mayAdminister(channel: ChannelPrivacy, actor: Reader, isSubscribed: boolean): Verdict {
  if (seesMetadata(channel, actor, isSubscribed) && administers(channel, actor)) return allowed;
  return refused(seesContent(channel, actor, isSubscribed) ? reject.mayNotAdminister() : reject.unknownChannel());
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
