import { definePresenter } from '@annals/kernel';
import type { PositionedClientEvent, QueueProfile } from '@annals/kernel';
import type { Instant, Language, Position, Role, UserId } from '@annals/kernel/domain';
import { LANGUAGES } from '@annals/kernel/domain';
import { avatarFields } from '../read/profile/avatar';
import { presentDateJoined, presentUser } from '../read/account/present-user';
import type { ProfileData } from '../read/profile/profiles';
import { NO_PROFILE, readProfiles } from '../read/profile/profiles';
import type { UserRow } from '../read/account/user-row';
import { readHidden, readUsers } from '../read/account/user-row';
import type { EmailsAt } from '../read/email/emails-at';
import { readEmailsAt } from '../read/email/emails-at';
import { seesEmailByRole } from '../domain/email/email-visibility';
import type { Viewer } from '../read/account/viewer';
import { emailChanges } from './email-changes';
import { emailFor, viewerOf } from '../read/account/viewer';
import type { OwnSettingPayload, UserPayload } from './payloads';
import { MAX_REPORTED } from './user-access-events';

const userPayload = ({ payload }: PositionedClientEvent) => payload as unknown as UserPayload;

interface Loaded {
  readonly people: ReadonlyMap<UserId, UserRow>;
  readonly profiles: ReadonlyMap<UserId, ProfileData>;
  readonly at: EmailsAt;
  /** Accounts whose emails are or were hidden from some users. Read only if a user's role changed. */
  readonly hidden: readonly UserRow[];
}

/**
 * contract/realtime.md section 6.3, `realm_user`: names and profile values as they are now, emails as they were at the
 * event.
 */
export const usersPresenter = definePresenter<Loaded>({
  type: 'realm_user',
  load: async (reader, events) => {
    const { client, realmId } = reader;
    const payloads = events.map(userPayload);
    const rows = await readUsers(client, realmId, userIdsOf(payloads));
    const first = Math.min(...events.map(({ position }) => position - 1)) as Position;
    const hidden = payloads.some((one) => isAbout(one, 'sight')) ? await readHidden(client, realmId, first) : [];
    const said = userIdsOf(payloads.filter((one) => isAbout(one, 'custom_profile_field') || isKnownArrival(one)));
    return {
      people: new Map(rows.map((row) => [row.userId, row])),
      profiles: await readProfiles(client, realmId, said),
      at: await readEmailsAt(reader, [...rows, ...hidden], first),
      hidden,
    };
  },
  present: (event, loaded, queue) => {
    const payload = userPayload(event);
    return personsOf(event, loaded, queue).map((person) => ({ type: 'realm_user', op: payload.op, person }));
  },
  variant: (event, loaded, queue) => {
    const payload = userPayload(event);
    if (isAbout(payload, 'sight')) return queue.queueId;
    const viewer = viewerOf(queue, queue);
    const emails = momentsOf(event).map((position) => emailFor(then(loaded, payload.userId, position), viewer));
    return [queue.clientGravatar, ...emails].join(' ');
  },
});

const userIdsOf = (payloads: readonly UserPayload[]): UserId[] => [...new Set(payloads.map(({ userId }) => userId))];

const isKnownArrival = (payload: UserPayload): boolean => payload.op === 'add' && payload.isKnown === true;

const isAbout = (payload: UserPayload, change: string): boolean => payload.op === 'update' && payload.change === change;

/** The position at which the email of an event was current. None for an event without an email. */
function momentsOf(event: PositionedClientEvent): readonly Position[] {
  const payload = userPayload(event);
  if (payload.op === 'add') return [payload.at];
  if (payload.change === 'address') return [payload.before, payload.after];
  return payload.change === 'timezone' || payload.change === 'avatar' ? [event.position] : [];
}

function personsOf(event: PositionedClientEvent, loaded: Loaded, queue: QueueProfile): Record<string, unknown>[] {
  const payload = userPayload(event);
  const viewer = viewerOf(queue, queue);
  const at = (position: Position) => then(loaded, payload.userId, position);
  if (payload.op === 'add') {
    // The profile values of new users, and deactivations, have events of their own. Values of other users are read.
    const profileData = loaded.profiles.get(payload.userId) ?? NO_PROFILE;
    const options = { clientGravatar: queue.clientGravatar, profileData };
    const user = at(payload.at);
    return [presentUser(payload.isKnown ? user : { ...user, isActive: true, isDeleted: false }, viewer, options)];
  }
  if (payload.change === 'address') {
    return emailChanges({ user: at(payload.before), viewer }, { user: at(payload.after), viewer });
  }
  if (payload.change === 'sight') return emailAccessChanges(event.position, payload, loaded, viewer);
  return [{ user_id: payload.userId, ...updated(payload, at(event.position), viewer, loaded) }];
}

/** The emails of others that a user sees with a new role. */
function emailAccessChanges(
  position: Position,
  { from, to }: { readonly from: Role; readonly to: Role },
  { hidden, at }: Loaded,
  viewer: Viewer,
): Record<string, unknown>[] {
  const then = hidden.flatMap((user) => at(user, position) ?? []);
  const changed = then.filter((user) => seesEmailByRole(from, user) !== seesEmailByRole(to, user));
  if (changed.length > MAX_REPORTED)
    throw new Error(`a viewer gained or lost access to ${changed.length} email addresses`);
  return changed.flatMap((user) =>
    emailChanges({ user, viewer: { ...viewer, role: from } }, { user, viewer: { ...viewer, role: to } }),
  );
}

function updated(
  payload: Simple,
  user: UserRow,
  viewer: Viewer,
  { profiles }: Pick<Loaded, 'profiles'>,
): Record<string, unknown> {
  switch (payload.change) {
    case 'full_name':
      return { full_name: user.fullName };
    case 'custom_profile_field':
      return { custom_profile_field: said(profiles, user.userId, payload.fieldId) };
    case 'role':
      return { role: payload.value };
    case 'bot_owner_id':
      return { bot_owner_id: payload.value };
    case 'avatar': {
      const { file: avatarFile, version: avatarVersion } = payload;
      return { ...avatarFields({ ...user, avatarFile, avatarVersion }, viewer), avatar_version: avatarVersion };
    }
    case 'is_active':
      return { is_active: payload.value };
    case 'is_deleted':
      return { is_deleted: true };
    case 'is_no_stub':
      return { is_imported_stub: false };
    case 'timezone':
      return { email: emailFor(user, viewer), timezone: user.timezone };
    case 'date_joined':
      return { date_joined: presentDateJoined(payload.value as Instant) };
  }
}

/** Updates that are one object for all their receivers. */
type Simple = Exclude<Extract<UserPayload, { op: 'update' }>, { change: 'address' | 'sight' }>;

/** A value that was cleared since is null. */
const said = (profiles: Loaded['profiles'], userId: UserId, id: number) => ({
  id,
  ...(profiles.get(userId)?.[id] ?? { value: null }),
});

function then({ people, at }: Loaded, userId: UserId, position: Position): UserRow {
  const user = people.get(userId);
  if (!user) throw new Error(`account ${userId} does not exist`);
  return at(user, position) ?? user;
}

const settingOf = ({ payload }: PositionedClientEvent) => payload as unknown as OwnSettingPayload;

const settingsPresenter = (type: 'user_settings' | 'realm_user_settings_defaults') =>
  definePresenter<ReadonlyMap<UserId, UserRow>>({
    type,
    load: async ({ client, realmId }, events) => {
      const said = events.map(settingOf).flatMap((payload) => ('of' in payload ? [payload.of] : []));
      const people = await readUsers(client, realmId, [...new Set(said)]);
      return new Map(people.map((user) => [user.userId, user]));
    },
    present: (event, people) => {
      const payload = settingOf(event);
      const value = 'of' in payload ? people.get(payload.of)?.timezone : payload.value;
      const { property } = payload;
      const named = type === 'user_settings' && property === 'default_language';
      return [{ type, op: 'update', property, value, ...(named && { language_name: LANGUAGES[value as Language] }) }];
    },
    variant: () => 'all',
  });

/** contract/realtime.md section 6.4, `user_settings`. */
export const ownSettingsPresenter = settingsPresenter('user_settings');
/** contract/realtime.md section 6.5, `realm_user_settings_defaults`. */
export const defaultSettingsPresenter = settingsPresenter('realm_user_settings_defaults');
