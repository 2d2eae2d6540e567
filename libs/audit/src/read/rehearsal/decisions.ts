import type { ChannelCreated, PermissionsChanged, PrivacyChanged, TopicsPolicyChanged } from '@annals/channels/events';
import {
  administers,
  mayHaveKind,
  mayMakeWebPublic,
  maySetDeletePermissions,
  maySetTopicsPolicy,
} from '@annals/channels';
import { mayCreateGroups } from '@annals/groups';
import type { Actor, ChannelId, Fact, MessageId, Position, Recorded, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, isBot, isModerator, permits } from '@annals/kernel/domain';
import type { ContentEdited, MessagesDeleted, MessagesMoved, TopicMoved } from '@annals/messages/events';
import {
  GRACE_SECONDS,
  mayDelete,
  mayEditContent,
  mayMoveBetweenTopics,
  mayMoveOut,
  mayResolve,
  toggledResolution,
} from '@annals/messages';
import type { Realm, RealmSettings, SettingName } from '@annals/realm';
import { mayNotDo } from './rejections';
import type { AccountCreated, AddressChanged, FullNameChanged } from '@annals/users/events';
import { mayCreateBot, mayMoveOneself, mayRenameOneself } from '@annals/users';
import type { RehearsalFacts } from './rehearsal-facts';

/** A stored decision, and everything it is taken again with, except the settings. */
export interface Taken<F extends Fact = Fact> {
  readonly event: Recorded<F>;
  readonly actor: Actor;
  readonly facts: RehearsalFacts;
  readonly systemGroups: NonNullable<Realm>['systemGroups'];
}

/** Decisions that events of one type were, and the settings of the organization that they depend on. */
export interface RehearsedDecision {
  readonly type: string;
  readonly settings: readonly SettingName[];
  /** Takes the decision again. */
  readonly decide: (taken: Taken, settings: RealmSettings) => Verdict;
  /** Messages and channels that it depends on. */
  readonly messages?: (event: Recorded) => readonly MessageId[];
  readonly channels?: (event: Recorded) => readonly ChannelId[];
}

interface Declaration<F extends Fact> extends Pick<RehearsedDecision, 'settings'> {
  readonly decide: (taken: Taken<F>, settings: RealmSettings) => Verdict;
  readonly messages?: (event: Recorded<F>) => readonly MessageId[];
  readonly channels?: (event: Recorded<F>) => readonly ChannelId[];
}

const decision = <F extends Fact>(type: F['type'], declaration: Declaration<F>): RehearsedDecision =>
  ({ type, ...declaration }) as unknown as RehearsedDecision;

const both = (first: Verdict, second: () => Verdict): Verdict => (first.allowed ? second() : first);

const channelRules = ({ systemGroups }: Taken, settings: RealmSettings) => ({
  canCreatePublic: settings.can_create_public_channel_group,
  canCreatePrivate: settings.can_create_private_channel_group,
  canCreateWebPublic: settings.can_create_web_public_channel_group,
  canSetTopicsPolicy: settings.can_set_topics_policy_group,
  canSetDeleteMessagePolicy: settings.can_set_delete_message_policy_group,
  webPublicEnabled: true,
  systemGroups,
});

const CHANNEL_KINDS = [
  'can_create_public_channel_group',
  'can_create_private_channel_group',
  'can_create_web_public_channel_group',
] as const;

const channels = [
  decision<ChannelCreated>('channels.ChannelCreated', {
    settings: [...CHANNEL_KINDS, 'can_set_topics_policy_group', 'can_set_delete_message_policy_group'],
    decide: (taken, settings) => {
      const { data } = taken.event;
      const rules = channelRules(taken, settings);
      const { can_delete_any_message_group, can_delete_own_message_group } = data.settings;
      return both(mayHaveKind(data, taken.actor, rules), () =>
        both(data.isWebPublic ? mayMakeWebPublic(taken.actor, rules) : allowed, () =>
          both(data.topicsPolicy === 'inherit' ? allowed : maySetTopicsPolicy(taken.actor, rules), () =>
            maySetDeletePermissions({ can_delete_any_message_group, can_delete_own_message_group }, taken.actor, rules),
          ),
        ),
      );
    },
  }),
  decision<PrivacyChanged>('channels.PrivacyChanged', {
    settings: CHANNEL_KINDS,
    decide: (taken, settings) => {
      const { privacy, previous } = taken.event.data;
      const rules = channelRules(taken, settings);
      const kind = privacy.inviteOnly === previous.inviteOnly ? allowed : mayHaveKind(privacy, taken.actor, rules);
      const opens = privacy.isWebPublic && !previous.isWebPublic;
      return both(kind, () => (opens ? mayMakeWebPublic(taken.actor, rules) : allowed));
    },
  }),
  decision<TopicsPolicyChanged>('channels.TopicsPolicyChanged', {
    settings: ['can_set_topics_policy_group'],
    decide: (taken, settings) =>
      taken.event.data.topicsPolicy === 'inherit'
        ? allowed
        : maySetTopicsPolicy(taken.actor, channelRules(taken, settings)),
  }),
  decision<PermissionsChanged>('channels.PermissionsChanged', {
    settings: ['can_set_delete_message_policy_group'],
    decide: (taken, settings) => {
      const { settings: after, previous } = taken.event.data;
      const names = ['can_delete_any_message_group', 'can_delete_own_message_group'] as const;
      const changed = names.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(previous[name]));
      const requested = Object.fromEntries(changed.map((name) => [name, after[name]]));
      return maySetDeletePermissions(requested, taken.actor, channelRules(taken, settings));
    },
  }),
];

const accounts = [
  decision<AccountCreated>('users.AccountCreated', {
    settings: ['can_create_bots_group', 'can_create_write_only_bots_group'],
    decide: ({ event, actor }, settings) => {
      const { can_create_bots_group, can_create_write_only_bots_group } = settings;
      const rules = { canCreateBots: can_create_bots_group, canCreateWriteOnlyBots: can_create_write_only_bots_group };
      return event.data.botType === null ? allowed : mayCreateBot(actor, event.data.botType, rules);
    },
  }),
  decision<FullNameChanged>('users.FullNameChanged', {
    settings: ['name_changes_disabled'],
    decide: ({ event, actor }, settings) =>
      event.data.userId === actor.userId ? mayRenameOneself(actor, settings) : allowed,
  }),
  decision<AddressChanged>('users.AddressChanged', {
    settings: ['email_changes_disabled'],
    decide: ({ event, actor }, settings) =>
      event.data.userId === actor.userId ? mayMoveOneself(actor, settings) : allowed,
  }),
];

const others = [
  decision('groups.GroupCreated', {
    settings: ['can_create_groups'],
    decide: ({ actor }, settings) => mayCreateGroups(settings.can_create_groups, actor),
  }),
  decision('realm.EmojiAdded', {
    settings: ['can_add_custom_emoji_group'],
    decide: ({ actor }, settings) =>
      allowedIf(permits(settings.can_add_custom_emoji_group, actor, { guests: false }), mayNotDo),
  }),
  decision('messages.ConversationOpened', {
    settings: ['direct_message_initiator_group'],
    decide: ({ actor }, settings) =>
      allowedIf(isBot(actor) || permits(settings.direct_message_initiator_group, actor, { guests: true }), mayNotDo),
  }),
];

const messages = [
  decision<ContentEdited>('messages.ContentEdited', {
    settings: ['allow_message_editing', 'message_content_edit_limit_seconds'],
    messages: ({ data }) => [data.messageId],
    decide: ({ event, actor, facts }, settings) => {
      const message = facts.message(event.data.messageId);
      const { allow_message_editing: allowEditing, message_content_edit_limit_seconds: limitSeconds } = settings;
      return message ? mayEditContent(message, actor, { allowEditing, limitSeconds }, event.at) : allowed;
    },
  }),
  decision<MessagesDeleted>('messages.MessagesDeleted', {
    settings: ['can_delete_any_message_group', 'can_delete_own_message_group', 'message_content_delete_limit_seconds'],
    messages: ({ data }) => data.messageIds.slice(0, 1),
    channels: ({ data }) => ('channelId' in data.place ? [data.place.channelId] : []),
    decide: ({ event, actor, facts }, settings) => {
      const { place, messageIds } = event.data;
      const message = messageIds[0] === undefined ? undefined : facts.message(messageIds[0]);
      const channel = 'channelId' in place ? facts.channelBefore(place.channelId, event.position) : null;
      if (!message) return allowed;
      const own = channel?.settings;
      const rules = {
        organization: { any: settings.can_delete_any_message_group, own: settings.can_delete_own_message_group },
        channel: own ? { any: own.can_delete_any_message_group, own: own.can_delete_own_message_group } : null,
        limitSeconds: settings.message_content_delete_limit_seconds,
      };
      return mayDelete(message, null, actor, rules, event.at);
    },
  }),
];

const MOVES = [
  'can_move_messages_between_topics_group',
  'can_move_messages_between_channels_group',
  'can_resolve_topics_group',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
] as const;

interface RehearsedMove {
  readonly from: ChannelId;
  readonly to: ChannelId;
  readonly messageId: MessageId;
  readonly kind: 'resolution' | 'topic' | 'channel';
}

const moves = [
  decision<TopicMoved>('messages.TopicMoved', {
    settings: MOVES,
    messages: ({ data }) => [data.messageId],
    channels: ({ data }) => [data.from, data.to],
    decide: (taken, settings) => {
      const { data, sealed } = taken.event;
      const toggles = sealed !== 'erased' && toggledResolution(sealed.previousName, sealed.name);
      const kind = data.from !== data.to ? 'channel' : toggles ? 'resolution' : 'topic';
      return mayMoveAgain({ ...data, kind }, taken, settings);
    },
  }),
  decision<MessagesMoved>('messages.MessagesMoved', {
    settings: MOVES,
    messages: ({ data }) => [data.messageId],
    channels: ({ data }) => [data.from.channelId, data.to.channelId],
    decide: (taken, settings) => {
      const { messageId, from, to } = taken.event.data;
      const kind = from.channelId === to.channelId ? 'topic' : 'channel';
      return mayMoveAgain({ messageId, from: from.channelId, to: to.channelId, kind }, taken, settings);
    },
  }),
];

function mayMoveAgain(
  { from, to, messageId, kind }: RehearsedMove,
  { event, actor, facts }: Taken,
  settings: RealmSettings,
) {
  const channelOf = (id: ChannelId, position: Position) => {
    const channel = facts.channelBefore(id, position);
    return (
      channel && {
        canMoveWithin: channel.settings.can_move_messages_within_channel_group,
        canMoveOut: channel.settings.can_move_messages_out_of_channel_group,
        canResolve: channel.settings.can_resolve_topics_group,
        isAdministered: administers(channel, actor),
      }
    );
  };
  const [origin, target] = [channelOf(from, event.position), channelOf(to, event.position)];
  const message = facts.message(messageId);
  if (!origin || !target || !message) return allowed;
  const rules = {
    canMoveBetweenTopics: settings.can_move_messages_between_topics_group,
    canMoveBetweenChannels: settings.can_move_messages_between_channels_group,
    canResolveTopics: settings.can_resolve_topics_group,
  };
  const permitted = { resolution: mayResolve, topic: mayMoveBetweenTopics, channel: mayMoveOut }[kind];
  if (!permitted({ rules, origin, target, poster: { sender: actor } })) return { allowed: false, because: mayNotDo() };
  if (kind === 'resolution' || isModerator(actor)) return allowed;
  const seconds =
    kind === 'topic'
      ? settings.move_messages_within_stream_limit_seconds
      : settings.move_messages_between_streams_limit_seconds;
  const soon = seconds === null || event.at - message.sentAt <= (seconds + GRACE_SECONDS) * 1000;
  return allowedIf(soon, mayNotDo);
}

/** All decisions that can be rehearsed, by the type of the event that they were. */
export const DECISIONS: ReadonlyMap<string, RehearsedDecision> = new Map(
  [...channels, ...accounts, ...others, ...messages, ...moves].map((one) => [one.type, one]),
);

/** The settings of an organization whose change can be rehearsed, by name. */
export const REHEARSABLE: readonly SettingName[] = [
  ...new Set([...DECISIONS.values()].flatMap(({ settings }) => settings)),
].sort();
