import type { GroupSetting } from '@annals/kernel/domain';
import type { TopicsPolicy } from '../events';
import type { ChannelSetting } from './settings';

/** The properties of a new channel. Null where the rules choose. */
export interface ChannelInput {
  readonly name: string;
  readonly description: string;
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly isDefault: boolean;
  readonly historyPublicToSubscribers: boolean | null;
  readonly topicsPolicy: TopicsPolicy;
  /** Days. Null follows the organization, -1 keeps forever. */
  readonly messageRetentionDays: number | null;
  readonly folderId: number | null;
  /** In the stored form of values, with groups and users that exist and that the setting allows. */
  readonly settings: Readonly<Partial<Record<ChannelSetting, GroupSetting>>>;
}

/** The properties of a new channel without name and description. */
export type ChannelProperties = Omit<ChannelInput, 'name' | 'description'>;
