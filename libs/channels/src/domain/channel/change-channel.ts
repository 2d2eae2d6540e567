import type { Actor, GroupSetting } from '@annals/kernel/domain';
import { ensure, fact, isAdministrator, sameGroupSetting } from '@annals/kernel/domain';
import type { Channel } from './channel';
import { oneLine } from './channel';
import type { ChannelPrivacy } from './access';
import { seesContent } from './access';
import type { ChannelEvent, TopicsPolicy } from '../events';
import {
  Archived,
  ChannelDescribed,
  ChannelRenamed,
  DefaultChanged,
  FolderChosen,
  PermissionsChanged,
  PrivacyChanged,
  RetentionChanged,
  TopicsPolicyChanged,
  Unarchived,
} from '../events';
import type { CreationRules } from '../policies';
import {
  mayAdminister,
  mayBeIn,
  mayBeShaped,
  mayHaveKind,
  mayMakeWebPublic,
  mayProtectHistory,
  maySetDeletePermissions,
  maySetRetention,
  maySetTopicsPolicy,
} from '../policies';
import { reject } from '../rejections';
import type { ChannelSettings } from './settings';
import { CHANNEL_SETTINGS, CONTENT_SETTINGS } from './settings';

/** The requested changes. A property that is left out keeps its value. */
export interface ChannelPatch {
  readonly name?: string;
  readonly description?: string;
  readonly isPrivate?: boolean;
  readonly isWebPublic?: boolean;
  readonly historyPublicToSubscribers?: boolean;
  readonly isDefault?: boolean;
  /** False unarchives the channel. Archiving is a command of its own. */
  readonly isArchived?: false;
  /** Days. Null follows the organization, -1 keeps forever. */
  readonly messageRetentionDays?: number | null;
  readonly topicsPolicy?: TopicsPolicy;
  readonly folderId?: number | null;
  /** In the stored form of values. */
  readonly settings: Partial<ChannelSettings>;
  /** The expected current values. */
  readonly expected: Partial<ChannelSettings>;
}

/** Facts about the channel and the organization that the change depends on. */
export interface ChangeRules extends CreationRules {
  /** Whether the actor is subscribed. */
  readonly isSubscribed: boolean;
  readonly hasSubscribers: boolean;
  /** Whether any message has another topic than the empty one. */
  readonly hasNamedTopics: boolean;
  /** The organization's channel for requests to moderators. */
  readonly isForModerationRequests: boolean;
  /** Whether the caller may expect this present value of a permission. */
  readonly isExpected: (expected: GroupSetting, present: GroupSetting) => boolean;
}

type Privacy = Pick<ChannelPrivacy, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>;

/**
 * Changes properties and permissions of a channel (contract/channels.md section 5). An equal value is no change.
 *
 * @throws Rejected for the first change that is not allowed. Then nothing changes
 */
export function changeChannel(
  channel: Channel,
  change: ChannelPatch,
  actor: Actor,
  rules: ChangeRules,
): ChannelEvent[] {
  ensure(mayAdminister(channel, actor, rules.isSubscribed));
  const privacy = privacyAfter(channel, change);
  const isArchived = channel.isArchived && change.isArchived !== false;
  const after = { ...channel, ...privacy, isArchived, settings: { ...channel.settings, ...change.settings } };
  return [
    ...unarchive(channel, change, after, rules),
    ...changePrivacy(channel, change, privacy, actor, rules),
    ...changeDefault(after, change, actor),
    ...rename(channel, change, rules),
    ...describe(channel, change),
    ...changeRetention(channel, change, actor),
    ...changeTopicsPolicy(channel, change, actor, rules),
    ...chooseFolder(channel, change, rules),
    ...changePermissions(channel, change, after, actor, rules),
  ];
}

/** Archives a channel (contract/channels.md section 6). It stops being a default channel. */
export function archiveChannel(channel: Channel, actor: Actor, isSubscribed: boolean): ChannelEvent[] {
  ensure(mayAdminister(channel, actor, isSubscribed));
  if (channel.isArchived) throw reject.alreadyArchived();
  const channelId = channel.id;
  const noDefault = channel.isDefault ? [fact(DefaultChanged, { channelId, isDefault: false })] : [];
  return [...noDefault, fact(Archived, { channelId })];
}

/** Makes a channel a default channel of new accounts, or ends that (contract/channels.md section 8). */
export function setDefault(channel: Channel, isDefault: boolean): ChannelEvent[] {
  if (isDefault && channel.inviteOnly) throw reject.privateDefault();
  if (isDefault && channel.isArchived) throw reject.unknownChannel();
  return channel.isDefault === isDefault ? [] : [fact(DefaultChanged, { channelId: channel.id, isDefault })];
}

function unarchive(channel: Channel, change: ChannelPatch, after: Channel, rules: ChangeRules): ChannelEvent[] {
  if (change.isArchived !== false) return [];
  if (!channel.isArchived) throw reject.notArchived();
  if (after.inviteOnly && !rules.hasSubscribers) throw reject.archivedWithoutSubscribers();
  return [fact(Unarchived, { channelId: channel.id })];
}

/** A request that only makes a channel private, or public, gets the usual history of that kind. */
function privacyAfter(channel: Channel, change: ChannelPatch): Privacy {
  const { inviteOnly, isWebPublic, historyPublicToSubscribers } = channel;
  const usual = change.isPrivate === undefined ? historyPublicToSubscribers : !change.isPrivate;
  return {
    inviteOnly: change.isPrivate ?? inviteOnly,
    isWebPublic: change.isWebPublic ?? isWebPublic,
    historyPublicToSubscribers: change.historyPublicToSubscribers ?? usual,
  };
}

function changePrivacy(
  channel: Channel,
  change: ChannelPatch,
  privacy: Privacy,
  actor: Actor,
  rules: ChangeRules,
): ChannelEvent[] {
  const { isPrivate, isWebPublic, historyPublicToSubscribers } = change;
  if (isPrivate === undefined && isWebPublic === undefined && historyPublicToSubscribers === undefined) return [];
  if (!seesContent(channel, actor, rules.isSubscribed)) throw reject.contentNeeded();
  ensure(mayBeShaped(privacy, rules.webPublicEnabled || channel.isWebPublic));
  const previous = privacyAfter(channel, { settings: {}, expected: {} });
  if (samePrivacy(privacy, previous)) return [];
  if (privacy.inviteOnly !== channel.inviteOnly) ensure(mayHaveKind(privacy, actor, rules));
  if (privacy.isWebPublic && !channel.isWebPublic) ensure(mayMakeWebPublic(actor, rules));
  if (rules.isForModerationRequests && !privacy.inviteOnly) throw reject.moderationRequestsArePrivate();
  const topics = change.settings.can_create_topic_group ?? channel.settings.can_create_topic_group;
  ensure(mayProtectHistory(privacy, topics, rules));
  if (privacy.inviteOnly && channel.isDefault && change.isDefault !== false) throw reject.privateDefault();
  return [fact(PrivacyChanged, { channelId: channel.id, privacy, previous })];
}

const samePrivacy = (a: Privacy, b: Privacy): boolean =>
  a.inviteOnly === b.inviteOnly &&
  a.isWebPublic === b.isWebPublic &&
  a.historyPublicToSubscribers === b.historyPublicToSubscribers;

function changeDefault(after: Channel, { isDefault }: ChannelPatch, actor: Actor): ChannelEvent[] {
  if (isDefault === undefined) return [];
  if (!isAdministrator(actor)) throw reject.administratorNeededForDefault();
  return setDefault(after, isDefault);
}

function rename(channel: Channel, { name }: ChannelPatch, rules: ChangeRules): ChannelEvent[] {
  if (name === undefined) return [];
  if (name === channel.name) throw reject.sameName();
  if (rules.nameTaken) throw reject.nameTaken({ channel_name: name });
  return [fact(ChannelRenamed, { channelId: channel.id }, { name, previous: channel.name })];
}

function describe(channel: Channel, { description }: ChannelPatch): ChannelEvent[] {
  if (description === undefined || oneLine(description) === channel.description) return [];
  return [fact(ChannelDescribed, { channelId: channel.id }, { description: oneLine(description) })];
}

function changeRetention(channel: Channel, change: ChannelPatch, actor: Actor): ChannelEvent[] {
  const { messageRetentionDays } = change;
  if (messageRetentionDays === undefined) return [];
  // A stored number of days may remain: clients send values that a user did not change.
  const isSame = messageRetentionDays === channel.messageRetentionDays;
  ensure(maySetRetention(isSame ? null : messageRetentionDays, actor));
  if (isSame) return [];
  return [fact(RetentionChanged, { channelId: channel.id, messageRetentionDays })];
}

function changeTopicsPolicy(channel: Channel, change: ChannelPatch, actor: Actor, rules: ChangeRules): ChannelEvent[] {
  const { topicsPolicy } = change;
  if (topicsPolicy === undefined || topicsPolicy === channel.topicsPolicy) return [];
  // A user who may not set a policy may still return to the organization's (contract/permissions.md section 4).
  if (topicsPolicy !== 'inherit') ensure(maySetTopicsPolicy(actor, rules));
  if (topicsPolicy === 'empty_topic_only' && rules.hasNamedTopics) throw reject.namedTopics();
  return [fact(TopicsPolicyChanged, { channelId: channel.id, topicsPolicy })];
}

function chooseFolder(channel: Channel, { folderId }: ChannelPatch, rules: ChangeRules): ChannelEvent[] {
  if (folderId === undefined) return [];
  ensure(mayBeIn(rules.folder));
  return folderId === channel.folderId ? [] : [fact(FolderChosen, { channelId: channel.id, folderId })];
}

function changePermissions(
  channel: Channel,
  { settings: requested, expected }: ChannelPatch,
  after: Channel,
  actor: Actor,
  rules: ChangeRules,
): ChannelEvent[] {
  const previous = channel.settings;
  const given = CHANNEL_SETTINGS.filter((name) => requested[name] !== undefined);
  for (const name of given) {
    const current = expected[name];
    if (current !== undefined && !rules.isExpected(current, previous[name])) throw reject.valueMoved();
  }
  const changed = given.filter((name) => !sameGroupSetting(requested[name] as GroupSetting, previous[name]));
  if (changed.length === 0) return [];
  const needsContent = changed.some((name) => CONTENT_SETTINGS.has(name));
  if (needsContent && !seesContent(channel, actor, rules.isSubscribed)) throw reject.contentNeeded();
  ensure(maySetDeletePermissions(Object.fromEntries(changed.map((name) => [name, requested[name]])), actor, rules));
  ensure(mayProtectHistory(after, after.settings.can_create_topic_group, rules));
  return [fact(PermissionsChanged, { channelId: channel.id, settings: after.settings, previous })];
}
