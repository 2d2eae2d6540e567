import type { Actor, ChannelId, Recorded } from '@annals/kernel/domain';
import { defineAggregate, ensure, fact } from '@annals/kernel/domain';
import type { ChannelPrivacy } from './access';
import type { ChannelEvent, Subscribed, TopicsPolicy, Unsubscribed } from '../events';
import { ChannelCreated } from '../events';
import type { CreationRules } from '../policies';
import { mayCreate } from '../policies';
import type { ChannelSettings, SystemGroupIds } from './settings';
import { initialChannelSettings } from './settings';
import type { ChannelInput } from './channel-input';

/** A channel as rules need it. */
export interface Channel extends ChannelPrivacy {
  readonly id: ChannelId;
  /** The name that users see. A placeholder once it was erased. */
  readonly name: string;
  /** Markdown, on one line. Empty once it was erased. */
  readonly description: string;
  readonly isArchived: boolean;
  /** New accounts are subscribed to it. */
  readonly isDefault: boolean;
  readonly topicsPolicy: TopicsPolicy;
  /** Null follows the organization, -1 keeps forever. */
  readonly messageRetentionDays: number | null;
  readonly folderId: number | null;
  readonly settings: ChannelSettings;
}

/** Names that differ only in letter case are the same name (contract/conventions.md section 6). */
export const channelNameKey = (name: string): string => name.toLowerCase();

/** The name of a channel whose texts were erased. */
export const erasedChannelName = (id: ChannelId): string => `channel ${id}`;

export const channelAggregate = defineAggregate<Channel | null, ChannelEvent, ChannelId>(
  'channel',
  null,
  (state, event): Channel | null => {
    if (event.type === ChannelCreated.type) return begun(event);
    return state && { ...state, ...changed(state, event) };
  },
);

function begun({ data, sealed }: Recorded<ChannelCreated>): Channel {
  const { channelId, creatorId: _, ...properties } = data;
  const text = sealed === 'erased' ? { name: erasedChannelName(channelId), description: '' } : sealed;
  return { ...properties, ...text, id: channelId, isArchived: false };
}

function changed({ id }: Channel, { type, data, sealed }: Recorded<Exclude<ChannelEvent, ChannelCreated>>) {
  switch (type) {
    case 'channels.ChannelRenamed':
      return { name: sealed === 'erased' ? erasedChannelName(id) : sealed.name };
    case 'channels.ChannelDescribed':
      return { description: sealed === 'erased' ? '' : sealed.description };
    case 'channels.PrivacyChanged':
      return data.privacy;
    case 'channels.PermissionsChanged':
      return { settings: data.settings };
    case 'channels.RetentionChanged':
      return { messageRetentionDays: data.messageRetentionDays };
    case 'channels.TopicsPolicyChanged':
      return { topicsPolicy: data.topicsPolicy };
    case 'channels.FolderChosen':
      return { folderId: data.folderId };
    case 'channels.DefaultChanged':
      return { isDefault: data.isDefault };
    case 'channels.Archived':
      return { isArchived: true };
    case 'channels.Unarchived':
      return { isArchived: false };
  }
}

/**
 * The subscriptions to a channel, without a state: what reads it is decided again when users were subscribed or unsubscribed
 * meanwhile.
 */
export const membersAggregate = defineAggregate<null, Subscribed | Unsubscribed, ChannelId>(
  'members',
  null,
  () => null,
);

/** Name of the stream of subscriptions to a channel. */
export const membersStream = (channel: ChannelId): string => membersAggregate.stream(channel);

/**
 * Creates a channel (INTERFACE.md 4.6, contract/channels.md section 2).
 *
 * @param rules.nameTaken whether another channel has the name already. The append must guard it
 * @throws Rejected in the contract's order of failures
 */
export function createChannel(
  id: ChannelId,
  input: ChannelInput,
  actor: Actor,
  rules: CreationRules,
): ChannelCreated[] {
  ensure(mayCreate(input, actor, rules));
  const { inviteOnly, isWebPublic, isDefault, topicsPolicy, messageRetentionDays, name, description } = input;
  const data = {
    channelId: id,
    creatorId: actor.userId,
    inviteOnly,
    isWebPublic,
    historyPublicToSubscribers: !inviteOnly || (input.historyPublicToSubscribers ?? false),
    isDefault,
    topicsPolicy,
    messageRetentionDays,
    folderId: input.folderId,
    settings: { ...initialChannelSettings(rules.systemGroups, actor.userId), ...input.settings },
  };
  return [fact(ChannelCreated, data, { name, description: oneLine(description) })];
}

/** The first channel of a new organization: public, a default channel, with default settings and without a creator. */
export function firstChannel(
  id: ChannelId,
  text: { readonly name: string; readonly description: string },
  systemGroups: SystemGroupIds,
): ChannelCreated {
  const data = {
    channelId: id,
    creatorId: null,
    inviteOnly: false,
    isWebPublic: false,
    historyPublicToSubscribers: true,
    isDefault: true,
    topicsPolicy: 'inherit' as const,
    messageRetentionDays: null,
    folderId: null,
    settings: initialChannelSettings(systemGroups, null),
  };
  return fact(ChannelCreated, data, text);
}

/** Descriptions have no line breaks (contract/channels.md section 1). */
export const oneLine = (description: string): string => description.trim().replace(/\s*[\r\n]+\s*/g, ' ');
