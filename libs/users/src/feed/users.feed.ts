import type { FeedReader } from '@annals/kernel';
import { defineFeed, overlapsSql, rowsOverlapSql, translate } from '@annals/kernel';
import type { Audience, ClientEvent, Position, Recorded, Span, UserId } from '@annals/kernel/domain';
import { Role, contains, isAdministrator, isGuest } from '@annals/kernel/domain';
import { RealmSettingsChanged } from '@annals/realm';
import {
  AccountCreated,
  AddressChanged,
  AvatarChanged,
  BotDefaultsChanged,
  BotOwnerChanged,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  DefaultSettingsChanged,
  OwnSettingsChanged,
  ProfileDeleted,
  Reactivated,
  RoleChanged,
} from '../domain/events';
import type { BotDefaults } from '../domain/account/account-parts';
import type { BotPayload, BotProperty, OwnSettingPayload, UserPayload } from './payloads';
import { exportConsentEvent } from './export-consent.presenter';
import { before, userAccessEvent } from './user-access-events';

const EVERYONE: Audience = { kind: 'everyone' };

const userEvent = (payload: UserPayload): ClientEvent => ({ type: 'realm_user', audience: EVERYONE, payload });
export const botEvent = (payload: BotPayload, audience: Audience): ClientEvent => ({
  type: 'realm_bot',
  audience,
  payload,
});

const defaultSettingEvent = (payload: OwnSettingPayload): ClientEvent => ({
  type: 'realm_user_settings_defaults',
  audience: EVERYONE,
  payload,
});
const ownSettingEvent = (userId: UserId, payload: OwnSettingPayload): ClientEvent => ({
  type: 'user_settings',
  audience: { kind: 'users', users: [userId] },
  payload,
});

/** The bot's owner and all administrators of bots. */
export const administratorsOf = (owner: UserId | null): Audience => ({
  kind: 'any',
  of: [
    { kind: 'users', users: owner === null ? [] : [owner] },
    { kind: 'roles', atMost: Role.administrator },
  ],
});

/** Users who are no administrators lose or gain the bot. Administrators have it all the time. */
const notAdministrating = (user: UserId): Audience => ({
  kind: 'but',
  these: { kind: 'users', users: [user] },
  not: { kind: 'roles', atMost: Role.administrator },
});

function newOwner({ userId, from, to, isActive }: BotOwnerChanged['data']): ClientEvent[] {
  const changed = userEvent({ op: 'update', userId, change: 'bot_owner_id', value: to });
  if (!isActive) return [changed];
  const lost = from === null ? [] : [botEvent({ op: 'delete', userId }, notAdministrating(from))];
  return [...lost, botEvent({ op: 'add', userId }, notAdministrating(to)), changed];
}

const PROPERTIES: Readonly<Record<keyof BotDefaults, BotProperty>> = {
  sendingChannel: 'default_sending_stream',
  eventsChannel: 'default_events_register_stream',
  allPublicChannels: 'default_all_public_streams',
};

/** Nothing if the bot was created with the values, or is deactivated: the event of the bot contains them. */
export const isInBotEvent = (
  { userId, isActive }: Pick<BotDefaultsChanged['data'], 'userId' | 'isActive'>,
  append: readonly Recorded[],
): boolean => !isActive || append.some((other) => other.type === AccountCreated.type && subjectOf(other) === userId);

function defaultsChanged({ data }: Recorded<BotDefaultsChanged>, _: unknown, append: readonly Recorded[]) {
  if (isInBotEvent(data, append)) return [];
  const { userId, botOwnerId, defaults } = data;
  const names = (Object.keys(PROPERTIES) as (keyof BotDefaults)[]).filter((name) => defaults[name] !== undefined);
  const audience = administratorsOf(botOwnerId);
  return names.map((name) => botEvent({ op: 'update', userId, property: PROPERTIES[name] }, audience));
}

/** Client events of new and changed accounts (contract/users.md section 6). */
export const usersFeed = defineFeed({
  name: 'users',
  facts: botsAround,
  translations: [
    translate(AccountCreated, ({ data: { userId, botType, botOwnerId, isSystemBot } }, _, append) => {
      if (isSystemBot) return [];
      const added = userEvent({ op: 'add', userId, at: endOf(append) });
      return botType === null ? [added] : [added, botEvent({ op: 'add', userId }, administratorsOf(botOwnerId))];
    }),
    translate(FullNameChanged, ({ data: { userId } }) => [userEvent({ op: 'update', userId, change: 'full_name' })]),
    translate(RoleChanged, (event, bots: readonly BotSpan[]) => {
      const { userId, to } = event.data;
      const changed = userEvent({ op: 'update', userId, change: 'role', value: to });
      return [changed, ...botsGainedOrLost(event, bots), ...userAccessChanged(event), ...emailAccessChanged(event)];
    }),
    translate(ProfileDeleted, ({ data: { userId }, position }) => [
      userEvent({ op: 'update', userId, change: 'full_name' }),
      userEvent({ op: 'update', userId, change: 'address', before: (position - 1) as Position, after: position }),
      userEvent({ op: 'update', userId, change: 'timezone' }),
      userEvent({ op: 'update', userId, change: 'is_deleted' }),
    ]),
    translate(RealmSettingsChanged, ({ data: { settings }, position }) =>
      settings.can_access_all_users_group === undefined ? [] : [userAccessEvent(before(position), null)],
    ),
    translate(BotOwnerChanged, ({ data }) => newOwner(data)),
    translate(BotDefaultsChanged, defaultsChanged),
    translate(AvatarChanged, ({ data: { userId, file, version } }) => [
      userEvent({ op: 'update', userId, change: 'avatar', file, version }),
    ]),
    translate(Reactivated, ({ data: { userId, botOwnerId } }) => {
      const returned = userEvent({ op: 'update', userId, change: 'is_active', value: true });
      return botOwnerId === null
        ? [returned]
        : [returned, botEvent({ op: 'add', userId }, administratorsOf(botOwnerId))];
    }),
    translate(FirstLoggedIn, ({ data: { userId, wasImported }, at }) => [
      ...(wasImported ? [userEvent({ op: 'update', userId, change: 'is_no_stub' })] : []),
      userEvent({ op: 'update', userId, change: 'date_joined', value: at }),
    ]),
    translate(AddressChanged, (event, _, append) => addressChanged(event, append)),
    translate(OwnSettingsChanged, (event, _, append) => {
      const { userId, settings, timezone } = event.data;
      const own = Object.entries(settings).map(([property, value]) => ownSettingEvent(userId, { property, value }));
      const { allow_private_data_export: consented } = settings;
      const consent = consented === undefined ? [] : [exportConsentEvent(userId, consented)];
      return [...own, ...consent, ...(timezone ? timezoneChanged(userId) : []), ...addressChanged(event, append)];
    }),
    translate(DefaultSettingsChanged, ({ data: { settings } }) =>
      Object.entries(settings).map(([property, value]) => defaultSettingEvent({ property, value })),
    ),
  ],
});

/**
 * Client events of deactivated accounts. It is a separate feed because it runs after those of all other contexts: users
 * are removed from channels and groups first (contract/realtime.md section 10).
 */
export const departuresFeed = defineFeed({
  name: 'departures',
  translations: [
    translate(Deactivated, ({ data: { userId, botOwnerId }, position }) => {
      const left = userEvent({ op: 'update', userId, change: 'is_active', value: false });
      // All guests see all bots, so bots never become hidden.
      if (botOwnerId === null) return [left, userAccessEvent(before(position), [userId])];
      return [left, botEvent({ op: 'delete', userId }, administratorsOf(botOwnerId))];
    }),
  ],
});

/** A user who becomes a guest may no longer see others, and a user who ceases to be one sees everybody. */
function userAccessChanged({ data: { userId, from, to }, position }: Recorded<RoleChanged>): ClientEvent[] {
  if (isGuest({ role: from }) === isGuest({ role: to })) return [];
  return [userAccessEvent(before(position), [userId], { kind: 'users', users: [userId] })];
}

const endOf = (append: readonly Recorded[]): Position => append.at(-1)?.position ?? (0 as Position);

/** Sent once for all changes of it by one append: no client could ever see a state in between. */
function addressChanged(
  event: Recorded<AddressChanged | OwnSettingsChanged>,
  append: readonly Recorded[],
): ClientEvent[] {
  const { userId } = event.data;
  const concerned = append.filter((other) => isAboutEmail(other) && subjectOf(other) === userId);
  if (!isAboutEmail(event) || concerned[0]?.position !== event.position) return [];
  if (append.some((other) => other.type === AccountCreated.type && subjectOf(other) === userId)) return [];
  const before = (event.position - 1) as Position;
  return [userEvent({ op: 'update', userId, change: 'address', before, after: endOf(append) })];
}

const subjectOf = ({ data }: Recorded): unknown => (data as { readonly userId?: UserId }).userId;

const isAboutEmail = ({ type, data }: Recorded): boolean =>
  type === AddressChanged.type ||
  (type === OwnSettingsChanged.type && 'email_address_visibility' in (data as OwnSettingsChanged['data']).settings);

const timezoneChanged = (userId: UserId): ClientEvent[] => [
  ownSettingEvent(userId, { property: 'timezone', of: userId }),
  userEvent({ op: 'update', userId, change: 'timezone' }),
];

/** Owners see what administrators do. */
function emailAccessChanged({ data: { userId, from, to } }: Recorded<RoleChanged>): ClientEvent[] {
  if (isAdministrator({ role: from }) && isAdministrator({ role: to })) return [];
  const payload: UserPayload = { op: 'update', userId, change: 'sight', from, to };
  return [{ type: 'realm_user', audience: { kind: 'users', users: [userId] }, payload }];
}

/** A bot while it was active and had this owner. */
interface BotSpan extends Span {
  readonly userId: UserId;
  readonly ownerId: UserId | null;
}

/**
 * A user who becomes an administrator sees all bots, also if the user is a bot. A user who ceases to be one no longer
 * sees those of others.
 */
function botsGainedOrLost({ data, position }: Recorded<RoleChanged>, bots: readonly BotSpan[]): ClientEvent[] {
  if (isAdministrator({ role: data.from }) === isAdministrator({ role: data.to })) return [];
  const op = isAdministrator({ role: data.to }) ? 'add' : 'delete';
  return bots
    .filter((bot) => contains(bot, position) && bot.ownerId !== data.userId)
    .map(({ userId }) => botEvent({ op, userId }, { kind: 'users', users: [data.userId] }));
}

async function botsAround({ client, realmId }: FeedReader, events: readonly Recorded[]): Promise<readonly BotSpan[]> {
  const positions = events.filter(({ type }) => type === RoleChanged.type).map(({ position }) => position);
  const [first] = positions;
  if (first === undefined) return [];
  const { rows } = await client.query<BotSpan>({
    name: 'bots-around',
    text: `SELECT s.user_id AS "userId", o.owner_id AS "ownerId", greatest(s.from_position, o.from_position) AS from,
        least(s.to_position, o.to_position) AS to
      FROM view.account_spans s JOIN view.bot_ownerships o ON o.realm_id = s.realm_id AND o.bot_id = s.user_id
        AND ${rowsOverlapSql('s', 'o')}
      WHERE s.realm_id = $1 AND s.is_active
        AND ${overlapsSql('s', '$2', '$3')}
      ORDER BY s.user_id, 3`,
    values: [realmId, first, positions.at(-1)],
  });
  return rows;
}
