import type { Role } from '@annals/kernel/domain';
import { isAdministrator, isGuest, isOwner } from '@annals/kernel/domain';
import type { Group } from './groups';
import type { Domain, Snippet, View } from './lists';
import type { ChosenTopic } from './topics';
import type { WireDraft } from '../requests/personal';
import type { WireEmoji } from '../requests/emoji';
import type { ReminderRecord, Scheduled } from '../requests/scheduling';
import type { RecentConversation, UnreadMessages } from './unread';

export interface Person {
  readonly user_id: number;
  role: Role;
  readonly [field: string]: unknown;
}
export interface Channel {
  readonly stream_id: number;
  subscriber_count: number;
  subscribers?: number[];
  readonly [field: string]: unknown;
}
export interface Folder {
  readonly id: number;
  order: number;
}
export type SettingValue = number | { readonly direct_members: number[]; readonly direct_subgroups: number[] };

export interface State {
  readonly user_id: number;
  full_name: string;
  realm_users: Person[];
  realm_non_active_users: Person[];
  realm_bots: { readonly user_id: number }[];
  realm_user_groups: Group[];
  streams: Channel[];
  subscriptions: Channel[];
  never_subscribed: Channel[];
  unsubscribed: Channel[];
  realm_default_streams: number[];
  realm_default_stream_groups: readonly unknown[];
  channel_folders: Folder[];
  realm_emoji: Readonly<Record<string, WireEmoji>>;
  realm_domains: readonly Domain[];
  navigation_views: readonly View[];
  saved_snippets: readonly Snippet[];
  drafts: readonly WireDraft[];
  scheduled_messages: readonly Scheduled[];
  reminders: readonly ReminderRecord[];
  max_message_id: number;
  recent_private_conversations: RecentConversation[];
  unread_msgs: UnreadMessages;
  starred_messages: number[];
  user_topics: ChosenTopic[];
  user_status: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  muted_topics: unknown;
  is_guest: boolean;
  [field: string]: unknown;
}

/** The first message of a channel is set silently (contract/messages.md section 3.2). */
export const withoutFirst = ({ first_message_id: _, ...channel }: Channel) => channel;

/** The settings of a subscription (contract/subscriptions.md section 1). */
const PERSONAL = ['color', 'is_muted', 'in_home_view', 'pin_to_top'];

/**
 * Channels without a subscription, as one list without personal settings: for a channel that becomes visible again,
 * clients do not learn of a former subscription; its settings are sent when the user returns.
 */
export function notSubscribed({ unsubscribed, never_subscribed }: State) {
  const personal = new Set([...PERSONAL, ...Object.keys(INHERITED)]);
  const all = [...unsubscribed, ...never_subscribed]
    .map(withoutFirst)
    .map((channel) => Object.fromEntries(Object.entries(channel).filter(([name]) => !personal.has(name))));
  const not_subscribed = all.sort((a, b) => Number(a['stream_id']) - Number(b['stream_id']));
  return { unsubscribed: undefined, never_subscribed: undefined, not_subscribed };
}

/** Settings of a subscription by the settings of its subscriber that they inherit (contract/subscriptions.md section 1). */
export const INHERITED = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  email_notifications: 'enable_stream_email_notifications',
  push_notifications: 'enable_stream_push_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const;

export const flagsOf = (person: { role: Role }) => ({
  is_owner: isOwner(person),
  is_admin: isAdministrator(person),
  is_guest: isGuest(person),
});

/** A change of a user with the property names of the directory. */
export function kept({ new_email, ...change }: Person): Person {
  const email = new_email === undefined ? {} : { email: new_email };
  return { ...change, ...email };
}

/** Deactivated people are in no group setting's list (contract/permissions.md section 3). */
export function forget(value: unknown, user: number): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'direct_members') {
      const left = (inner as number[]).filter((member) => member !== user);
      (value as Record<string, unknown>)[name] = left;
    } else forget(inner, user);
  }
}
