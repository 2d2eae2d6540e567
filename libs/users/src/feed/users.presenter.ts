import { definePresenter } from '@annals/kernel';
import type { PlacedClientEvent, QueueProfile } from '@annals/kernel';
import type { Instant, UserId } from '@annals/kernel/domain';
import { avatarFields } from '../read/avatar';
import { presentBot } from '../read/present-bot';
import { presentDateJoined, presentUser } from '../read/present-user';
import type { ProfileData } from '../read/profiles';
import { NO_PROFILE, readProfiles } from '../read/profiles';
import type { UserRow } from '../read/user-row';
import { readUsers } from '../read/user-row';
import { emailFor, viewerOf } from '../read/viewer';
import type { BotPayload, OwnSettingPayload, UserPayload } from './payloads';

const userPayload = ({ payload }: PlacedClientEvent) => payload as unknown as UserPayload;
const botPayload = ({ payload }: PlacedClientEvent) => payload as unknown as BotPayload;

/** Changes that carry no words: they are read when it is delivered. */
const READ_LATER: ReadonlySet<string> = new Set(['full_name', 'avatar']);

interface People {
  readonly accounts: ReadonlyMap<UserId, UserRow>;
  readonly profiles: ReadonlyMap<UserId, ProfileData>;
}

/** contract/realtime.md section 6.3, `realm_user`; names, and what people say of themselves, are shown as they are now. */
export const usersPresenter = definePresenter<People>({
  type: 'realm_user',
  load: async ({ client, realmId }, events) => {
    const payloads = events.map(userPayload);
    const those = (of: (payload: UserPayload) => boolean) => [
      ...new Set(payloads.filter(of).map(({ userId }) => userId)),
    ];
    const named = those((one) => one.op === 'add' || READ_LATER.has(one.change));
    const rows = await readUsers(client, realmId, named);
    const said = those((one) => one.op === 'update' && one.change === 'custom_profile_field');
    const profiles = await readProfiles(client, realmId, said);
    return { accounts: new Map(rows.map((row) => [row.userId, row])), profiles };
  },
  present: (event, people, queue) => {
    const payload = userPayload(event);
    const person = payload.op === 'add' ? added(payload.userId, people, queue) : updated(payload, people, queue);
    return [{ type: 'realm_user', op: payload.op, person }];
  },
  variant: (event, people, queue) => {
    const payload = userPayload(event);
    if (payload.op !== 'add' && payload.change !== 'avatar') return 'all';
    return `${queue.clientGravatar} ${emailFor(present(people, payload.userId), viewerOf(queue, queue))}`;
  },
});

const added = (userId: UserId, people: People, queue: QueueProfile) =>
  presentUser(present(people, userId), viewerOf(queue, queue), {
    clientGravatar: queue.clientGravatar,
    // What newcomers say of themselves is told by events of its own.
    profileData: NO_PROFILE,
  });

function updated(payload: Extract<UserPayload, { op: 'update' }>, people: People, queue: QueueProfile) {
  const { userId: user_id } = payload;
  switch (payload.change) {
    case 'full_name':
      return { user_id, full_name: present(people, user_id).fullName };
    case 'custom_profile_field':
      return { user_id, custom_profile_field: said(people, user_id, payload.fieldId) };
    case 'role':
      return { user_id, role: payload.value };
    case 'bot_owner_id':
      return { user_id, bot_owner_id: payload.value };
    case 'avatar': {
      const { file: avatarFile, version: avatarVersion } = payload;
      const then = { ...present(people, user_id), avatarFile, avatarVersion };
      return { user_id, ...avatarFields(then, viewerOf(queue, queue)), avatar_version: avatarVersion };
    }
    case 'is_active':
      return { user_id, is_active: payload.value };
    case 'date_joined':
      return { user_id, date_joined: presentDateJoined(payload.value as Instant) };
  }
}

/** What is not said any more is null. */
const said = ({ profiles }: People, userId: UserId, id: number) => ({
  id,
  ...(profiles.get(userId)?.[id] ?? { value: null }),
});

function present({ accounts }: People, userId: UserId): UserRow {
  const user = accounts.get(userId);
  if (!user) throw new Error(`account ${userId} does not exist`);
  return user;
}

/** contract/realtime.md section 6.3, `realm_bot`. */
export const botsPresenter = definePresenter({
  type: 'realm_bot',
  load: async () => null,
  present: (event) => {
    const { op, userId } = botPayload(event);
    return [{ type: 'realm_bot', op, bot: op === 'add' ? presentBot(userId) : { user_id: userId } }];
  },
  variant: () => 'all',
});

const settingsPresenter = (type: 'user_settings' | 'realm_user_settings_defaults') =>
  definePresenter({
    type,
    load: async () => null,
    present: ({ payload }) => {
      const { property, value } = payload as unknown as OwnSettingPayload;
      return [{ type, op: 'update', property, value }];
    },
    variant: () => 'all',
  });

/** contract/realtime.md section 6.4, `user_settings`. */
export const ownSettingsPresenter = settingsPresenter('user_settings');
/** contract/realtime.md section 6.5, `realm_user_settings_defaults`. */
export const defaultSettingsPresenter = settingsPresenter('realm_user_settings_defaults');
