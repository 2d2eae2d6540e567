import type { RegisterBlock } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { isAdministrator, isGuest, isModerator, isOwner, permits } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { isRestricted, readRealm } from '@annals/realm';
import type { ReadAccessibleUsers } from './account/user-access';
import type { ReadChannelNames } from './bot/bot-channels.port';
import { readBotServices } from './bot/bot-services';
import { channelsOf, presentBot } from './bot/present-bot';
import { readDirectory } from './account/directory';
import { avatarFields } from './profile/avatar';
import type { UserRow } from './account/user-row';
import { readActiveBots, readUsers } from './account/user-row';
import type { Viewer } from './account/viewer';
import { viewerOf } from './account/viewer';

/**
 * The directory and the caller's own account (contract/boot.md section 4.2). The users that a guest may see follow
 * from channels and conversations, so a context that knows these declares the block and passes the reader.
 */
export const usersRegisterBlock = (readAccessible: ReadAccessibleUsers): RegisterBlock => ({
  keys: ['realm_user'],
  async read(snapshot, by, { clientGravatar, webPublicChannels, url, capabilities }) {
    const { client, realmId } = snapshot;
    const realm = await readRealm(client, realmId);
    const [own] = await readUsers(client, realmId, [by.userId]);
    if (!realm || !own) throw new Error(`realm ${realmId} does not know account ${by.userId}`);
    const known = isRestricted(by, realm) ? await readAccessible(client, realmId, by.userId) : null;
    const gaps = known && { known, isNamed: !capabilities.user_list_incomplete };
    const viewer = viewerOf(by, { url });
    const directory = await readDirectory(snapshot, viewer, clientGravatar, gaps);
    return { ...directory, ...ownAccount(own, viewer), ...rights(by, realm.settings, webPublicChannels) };
  },
});

/**
 * The bots that the actor may administer (contract/boot.md section 4.1). A context that knows channels declares the
 * block.
 */
export const botsRegisterBlock = (readNames: ReadChannelNames): RegisterBlock => ({
  keys: ['realm_bot'],
  async read({ client, realmId }, by) {
    const ids = await readActiveBots(client, realmId, isAdministrator(by) ? null : by.userId);
    const bots = await readUsers(client, realmId, ids);
    const names = await readNames(client, realmId, channelsOf(bots));
    const services = await readBotServices(client, realmId, ids);
    return { realm_bots: bots.map((bot) => presentBot(bot, names, services.get(bot.userId))) };
  },
});

const ownAccount = (own: UserRow, viewer: Viewer) => ({
  user_id: own.userId,
  email: own.deliveryEmail,
  delivery_email: own.deliveryEmail,
  full_name: own.fullName,
  ...avatarFields(own, viewer),
  is_owner: isOwner(own),
  is_admin: isAdministrator(own),
  is_moderator: isModerator(own),
  is_guest: isGuest(own),
});

/** Permissions that old clients do not derive from the settings. */
function rights(by: Actor, settings: RealmSettings, webPublicChannels: boolean) {
  const may = (setting: RealmSettings['can_invite_users_group']) => permits(setting, by, { guests: false });
  const createPublic = may(settings.can_create_public_channel_group);
  const createPrivate = may(settings.can_create_private_channel_group);
  const webPublic = webPublicChannels && settings.enable_spectator_access;
  return {
    can_create_public_streams: createPublic,
    can_create_private_streams: createPrivate,
    can_create_web_public_streams: webPublic && may(settings.can_create_web_public_channel_group),
    can_create_streams: createPublic || createPrivate,
    can_invite_others_to_realm: may(settings.can_invite_users_group),
    can_subscribe_other_users: may(settings.can_add_subscribers_group),
  };
}
