import type { Actor, ChannelId } from '@annals/kernel/domain';
import { defineAggregate, ensure, fact } from '@annals/kernel/domain';
import type { ChannelPrivacy } from './access';
import type { ChannelEvent, TopicsPolicy } from './events';
import { ChannelCreated } from './events';
import type { CreationRules } from './policies';
import { mayCreate } from './policies';
import type { ChannelSettings, SystemGroupIds } from './settings';
import { initialSettings } from './settings';
import type { ChannelWish } from './wish';

/** What the rules about one channel need to know of it. */
export interface Channel extends ChannelPrivacy {
  readonly id: ChannelId;
  /** As people see it; a placeholder once it was erased. */
  readonly name: string;
  readonly isArchived: boolean;
  readonly topicsPolicy: TopicsPolicy;
  readonly settings: ChannelSettings;
}

/** Two names that differ in letter case only are one (contract/conventions.md section 6). */
export const nameKey = (name: string): string => name.toLowerCase();

/** What is shown of a channel whose words were erased. */
export const erasedName = (id: ChannelId): string => `channel ${id}`;

export const channelAggregate = defineAggregate<Channel | null, ChannelEvent, ChannelId>(
  'channel',
  null,
  (_state, { data, sealed }) => ({
    id: data.channelId,
    name: sealed === 'erased' ? erasedName(data.channelId) : sealed.name,
    inviteOnly: data.inviteOnly,
    isWebPublic: data.isWebPublic,
    historyPublicToSubscribers: data.historyPublicToSubscribers,
    isArchived: false,
    topicsPolicy: data.topicsPolicy,
    settings: data.settings,
  }),
);

/** Name of the stream that says who is subscribed. */
export const membersStream = (channel: ChannelId): string => `members-${channel}`;

/**
 * Creates a channel (INTERFACE.md 4.6, contract/channels.md section 2).
 *
 * @param rules.nameTaken whether another channel has the name already; the append must guard it
 * @throws Rejected in the contract's order of failures
 */
export function createChannel(id: ChannelId, wish: ChannelWish, actor: Actor, rules: CreationRules): ChannelCreated[] {
  ensure(mayCreate(wish, actor, rules));
  const { inviteOnly, isWebPublic, isDefault, topicsPolicy, messageRetentionDays, name, description } = wish;
  const data = {
    channelId: id,
    creatorId: actor.userId,
    inviteOnly,
    isWebPublic,
    historyPublicToSubscribers: !inviteOnly || (wish.historyPublicToSubscribers ?? false),
    isDefault,
    topicsPolicy,
    messageRetentionDays,
    folderId: null,
    settings: { ...initialSettings(rules.systemGroups, actor.userId), ...wish.settings },
  };
  return [fact(ChannelCreated, data, { name, description: oneLine(description) })];
}

/** The channel a new organization starts with: public, default, with the usual settings and nobody as its creator. */
export function firstChannel(
  id: ChannelId,
  words: { readonly name: string; readonly description: string },
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
    settings: initialSettings(systemGroups, null),
  };
  return fact(ChannelCreated, data, words);
}

/** Descriptions have no line breaks (contract/channels.md section 1). */
const oneLine = (description: string): string => description.trim().replace(/\s*[\r\n]+\s*/g, ' ');
