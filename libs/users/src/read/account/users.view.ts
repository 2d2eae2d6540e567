import type { RowChanges } from '@annals/kernel';
import { defineProjection, on } from '@annals/kernel';
import type { ChannelId, Position, Recorded, Role, UserId } from '@annals/kernel/domain';
import { ERASED_NAME } from '../../domain/account/account';
import { EmailVisibility } from '../../domain/email/email-visibility';
import type { AccountEvent } from '../../domain/events';
import {
  AccountCreated,
  AddressChanged,
  ApiKeyIssued,
  ApiKeysRevoked,
  AvatarChanged,
  BotAcquired,
  BotDefaultsChanged,
  BotOwnerChanged,
  BotReleased,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  OwnSettingsChanged,
  MessagesDisowned,
  PasswordSet,
  ProfileDeleted,
  Reactivated,
  RoleChanged,
  SpecialPermissionsChanged,
} from '../../domain/events';
import { SessionBegan, SessionsEnded } from '../../domain/sign-in/session-events';
import { emailKey, erasedEmail, personKey } from '../../domain/account/names';
import { usersPast } from './users-past';

/**
 * Accounts, spans of their role and activity, and the ids of their keys. `version` is that of the account's stream:
 * commands of the account depend on it, so every event of the stream sets it.
 */
export const usersView = defineProjection({
  name: 'users',
  version: 8,
  lifecycle: 'inline',
  tables: {
    users: {
      columns: {
        user_id: 'int8',
        version: 'int4',
        delivery_email: 'text',
        email_key: 'text',
        address_visibility: 'int2',
        /** The position of the last change of the email or its visibility. */
        address_position: 'int8',
        timezone: 'text',
        full_name: 'text',
        name_key: 'text',
        role: 'int2',
        is_active: 'bool',
        /** The profile was deleted. */
        is_deleted: 'bool',
        bot_type: 'int2',
        bot_owner_id: 'int8',
        is_system_bot: 'bool',
        avatar_file: 'text',
        avatar_version: 'int4',
        can_create_users: 'bool',
        can_change_user_emails: 'bool',
        created_at: 'int8',
        joined_at: 'int8',
        /** The user for whom it was created has not logged in yet. */
        awaits_login: 'bool',
        is_imported: 'bool',
        /** The default channels of a bot: where it sends, and what its queues receive. */
        sending_channel: 'int8',
        events_channel: 'int8',
        all_public_channels: 'bool',
      },
      key: ['user_id'],
      indexes: [
        { on: ['email_key'] },
        { on: ['name_key'] },
        { on: ['bot_owner_id'], where: 'bot_owner_id IS NOT NULL' },
        { on: ['role'], where: 'role < 400' },
        { on: ['avatar_file'], where: 'avatar_file IS NOT NULL' },
      ],
      sealed: ['delivery_email', 'email_key', 'full_name', 'name_key', 'timezone'],
      changesOften: true,
      past: usersPast,
    },
    /** Covers the positions from `from_position` up to but without `to_position`. System bots have none. */
    account_spans: {
      columns: { user_id: 'int8', from_position: 'int8', to_position: 'int8', role: 'int2', is_active: 'bool' },
      key: ['user_id', 'from_position'],
      past: 'spans',
    },
    /** Spans of the ownership of bots. */
    bot_ownerships: {
      columns: { bot_id: 'int8', from_position: 'int8', to_position: 'int8', owner_id: 'int8' },
      key: ['bot_id', 'from_position'],
      past: 'spans',
    },
    /** Spans of the default channels of bots, under the names of `users`. */
    bot_channels: {
      columns: { bot_id: 'int8', what: 'text', from_position: 'int8', to_position: 'int8', channel_id: 'int8' },
      key: ['bot_id', 'what', 'from_position'],
      indexes: [{ on: ['channel_id'] }],
    },
    api_keys: { columns: { key_id: 'int8', user_id: 'int8' }, key: ['key_id'], indexes: [{ on: ['user_id'] }] },
  },
  handlers: [
    on(AccountCreated, (event, rows) => {
      const { data, position } = event;
      rows.insert('users', createdRow(event));
      if (data.isSystemBot) return;
      openSpan(rows, data.userId, position, data.role, true);
      if (data.botType !== null) owned(rows, data.userId, position, data.botOwnerId);
    }),
    on(FullNameChanged, (event, rows) => change(event, rows, nameColumns(event))),
    on(AddressChanged, (event, rows) => {
      const { userId } = event.data;
      change(event, rows, { ...emailColumns(userId, event), address_position: event.position });
    }),
    on(SpecialPermissionsChanged, (event, rows) => {
      const { canCreateUsers: can_create_users, canChangeUserEmails: can_change_user_emails } = event.data;
      change(event, rows, { can_create_users, can_change_user_emails });
    }),
    on(RoleChanged, (event, rows) => {
      const { userId, to, isActive } = event.data;
      change(event, rows, { role: to });
      nextSpan(rows, userId, event.position, to, isActive);
    }),
    on(Deactivated, (event, rows) => {
      const { userId, role } = event.data;
      change(event, rows, { is_active: false });
      nextSpan(rows, userId, event.position, role, false);
    }),
    on(Reactivated, (event, rows) => {
      const { userId, role } = event.data;
      change(event, rows, { is_active: true });
      nextSpan(rows, userId, event.position, role, true);
    }),
    on(OwnSettingsChanged, ({ data: { userId, settings }, sealed, position }, rows) => {
      const { email_address_visibility: address_visibility } = settings;
      const timezone = sealed === 'erased' ? undefined : sealed.timezone?.to;
      const of = { user_id: userId };
      if (address_visibility !== undefined)
        rows.update('users', of, { address_visibility, address_position: position });
      if (timezone !== undefined) rows.update('users', of, { timezone });
    }),
    on(ProfileDeleted, (event, rows) => change(event, rows, nobody(event))),
    on(MessagesDisowned, (event, rows) => change(event, rows)),
    on(FirstLoggedIn, (event, rows) => change(event, rows, { joined_at: event.at, awaits_login: false })),
    on(BotAcquired, (event, rows) => change(event, rows)),
    on(BotReleased, (event, rows) => change(event, rows)),
    on(BotOwnerChanged, (event, rows) => {
      const { userId, to } = event.data;
      change(event, rows, { bot_owner_id: to });
      rows.update('bot_ownerships', { bot_id: userId, to_position: null }, { to_position: event.position });
      owned(rows, userId, event.position, to);
    }),
    on(BotDefaultsChanged, (event, rows) => {
      const { sendingChannel, eventsChannel, allPublicChannels } = event.data.defaults;
      if (sendingChannel !== undefined) names(event, rows, 'sending_channel', sendingChannel);
      if (eventsChannel !== undefined) names(event, rows, 'events_channel', eventsChannel);
      change(event, rows, allPublicChannels === undefined ? {} : { all_public_channels: allPublicChannels });
    }),
    on(AvatarChanged, (event, rows) =>
      change(event, rows, { avatar_file: event.data.file, avatar_version: event.data.version }),
    ),
    on(PasswordSet, (event, rows) => change(event, rows)),
    on(SessionBegan, (event, rows) => change(event, rows)),
    on(SessionsEnded, (event, rows) => change(event, rows)),
    on(ApiKeyIssued, (event, rows) => {
      change(event, rows);
      rows.insert('api_keys', { key_id: event.data.keyId, user_id: event.data.userId });
    }),
    on(ApiKeysRevoked, (event, rows) => {
      change(event, rows);
      for (const keyId of event.data.keyIds) rows.delete('api_keys', { key_id: keyId });
    }),
  ],
});

function createdRow({ data, sealed, version, at, position }: Recorded<AccountCreated>) {
  const { userId } = data;
  return {
    user_id: userId,
    version,
    ...emailColumns(userId, { sealed }),
    address_visibility: EmailVisibility.everyone,
    address_position: position,
    timezone: '',
    ...nameColumns({ sealed }),
    role: data.role,
    is_active: true,
    is_deleted: false,
    bot_type: data.botType,
    bot_owner_id: data.botOwnerId,
    is_system_bot: data.isSystemBot,
    avatar_file: data.avatarFile ?? null,
    avatar_version: 1,
    can_create_users: data.canCreateUsers,
    can_change_user_emails: data.canChangeUserEmails,
    created_at: at,
    joined_at: at,
    awaits_login: data.awaitsFirstLogin,
    is_imported: data.isImported ?? false,
    sending_channel: null,
    events_channel: null,
    all_public_channels: false,
  };
}

/** The row of an account whose profile was deleted. Its name and its email are free for others. */
function nobody({ data: { userId }, position }: Recorded<ProfileDeleted>) {
  return {
    is_deleted: true,
    full_name: ERASED_NAME,
    name_key: '',
    ...emailColumns(userId, { sealed: 'erased' }),
    address_visibility: EmailVisibility.nobody,
    address_position: position,
    timezone: '',
  };
}

function emailColumns(userId: UserId, { sealed }: { sealed: { email: string } | 'erased' }) {
  const email = sealed === 'erased' ? erasedEmail(userId) : sealed.email;
  return { delivery_email: email, email_key: emailKey(email) };
}

function nameColumns({ sealed }: { sealed: { fullName: string } | 'erased' }) {
  const fullName = sealed === 'erased' ? ERASED_NAME : sealed.fullName;
  return { full_name: fullName, name_key: personKey(fullName) };
}

function names(
  { data: { userId }, position }: Recorded<BotDefaultsChanged>,
  rows: RowChanges,
  what: 'sending_channel' | 'events_channel',
  channel: ChannelId | null,
): void {
  const span = { bot_id: userId, what };
  rows.update('users', { user_id: userId }, { [what]: channel });
  rows.update('bot_channels', { ...span, to_position: null }, { to_position: position });
  if (channel === null) return;
  rows.insert('bot_channels', { ...span, from_position: position, to_position: null, channel_id: channel });
}

function change(
  { data, version }: Pick<Recorded<AccountEvent>, 'data' | 'version'>,
  rows: RowChanges,
  columns: Readonly<Record<string, string | number | boolean | null>> = {},
): void {
  rows.update('users', { user_id: data.userId }, { ...columns, version });
}

function openSpan(rows: RowChanges, userId: UserId, position: Position, role: Role, isActive: boolean): void {
  rows.insert('account_spans', {
    user_id: userId,
    from_position: position,
    to_position: null,
    role,
    is_active: isActive,
  });
}

function owned(rows: RowChanges, bot: UserId, position: Position, owner: UserId | null): void {
  rows.insert('bot_ownerships', { bot_id: bot, from_position: position, to_position: null, owner_id: owner });
}

function nextSpan(rows: RowChanges, userId: UserId, position: Position, role: Role, isActive: boolean): void {
  rows.update('account_spans', { user_id: userId, to_position: null }, { to_position: position });
  openSpan(rows, userId, position, role, isActive);
}
