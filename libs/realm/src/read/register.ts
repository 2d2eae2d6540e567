import type { RegisterBlock, RegisterOptions } from '@annals/kernel';
import type { GroupSetting, RealmId, UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { AuthenticationMethod } from '../domain/authentication/authentication-events';
import type { RealmSettings } from '../domain/settings';
import type { OfferedMethods } from './authentication/authentication-methods';
import { allowsPasswords, readMethodChoices, withChoices } from './authentication/authentication-methods';
import { presentMethods } from './authentication/present-methods';
import { mailDomain } from '../server-address';
import type { RealmPictures } from '../domain/pictures/realm-picture';
import { PICTURE_NAMES } from '../domain/pictures/realm-picture-events';
import { pictureFields, readPictures } from './pictures/pictures';
import { smallerLimit } from '../domain/organization/limits';
import { readOrganization } from './organization/organization-row';
import { PERMISSION_CATALOGUE } from './permission-catalogue';
import { presentSettings } from './present-settings';
import type { RealmRow } from './realm-row';
import { readRealm } from './realm-row';
import { EMPTY_TOPIC_DISPLAY_NAME, serverProperties } from './server-properties';

/** The deactivated ones among these users. The context of accounts provides it. */
export type DepartedAmong = (
  client: ClientBase,
  realmId: RealmId,
  users: readonly UserId[],
) => Promise<ReadonlySet<UserId>>;

/** The part of `POST /register` about the organization and the server (contract/boot.md sections 4.3 and 5). */
export const realmRegisterBlock = (departedAmong: DepartedAmong): RegisterBlock => ({
  keys: ['realm'],
  async read({ client, realmId }, _by, options) {
    const realm = await readRealm(client, realmId);
    if (!realm) throw new Error(`realm ${realmId} does not exist`);
    const departed = await departedIn(client, realmId, [realm.settings], departedAmong);
    const pictures = await readPictures(client, realmId);
    const offered = options.signIn.methodsOf(realm.subdomain) as readonly AuthenticationMethod[];
    const methods = withChoices(offered, await readMethodChoices(client, realmId));
    const storageMib = (await readOrganization(client, realmId))?.limits.storageMib ?? null;
    const settings = presentSettings(
      realm.settings,
      realm.texts,
      realm.systemGroups,
      (user) => !departed.has(user as UserId),
    );
    return {
      ...serverProperties(options),
      server_supported_permission_settings: PERMISSION_CATALOGUE,
      // The older name of the two.
      jitsi_server_url: realm.settings.jitsi_server_url,
      ...prefixed({
        ...settings,
        ...identity(realm, options, storageMib),
        ...signIn(methods),
        ...shownPictures(realm, pictures),
      }),
    };
  },
});

/** The deactivated users in group settings. Most organizations have no users in them, which costs no query. */
export async function departedIn(
  client: ClientBase,
  realmId: RealmId,
  settings: readonly Partial<RealmSettings>[],
  departedAmong: DepartedAmong,
): Promise<ReadonlySet<UserId>> {
  const values = settings.flatMap((some): unknown[] => Object.values(some));
  const named = values.flatMap((value) => (isAnonymous(value) ? value.directMembers : []));
  return named.length === 0 ? new Set() : departedAmong(client, realmId, named);
}

const isAnonymous = (value: unknown): value is Exclude<GroupSetting, number> =>
  typeof value === 'object' && value !== null;

type About = Pick<RegisterOptions, 'url' | 'uploadQuotaMib' | 'pushNotifications'>;

/** The fields that are no settings: they follow from the organization itself, or from the features of this server. */
function identity(realm: RealmRow, { url, uploadQuotaMib, pushNotifications }: About, storageMib: number | null) {
  return {
    url,
    uri: url,
    uuid: realm.uuid,
    date_created: unixSeconds(realm.createdAt),
    bot_domain: mailDomain(url),
    empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    push_notifications_enabled: pushNotifications,
    push_notifications_enabled_end_timestamp: null,
    upload_quota_mib: smallerLimit(uploadQuotaMib, storageMib),
    plan_type: 1,
  };
}

const signIn = (methods: OfferedMethods) => ({
  email_auth_enabled: methods.Email ?? false,
  password_auth_enabled: allowsPasswords(methods),
  authentication_methods: presentMethods(methods),
});

const shownPictures = (realm: RealmRow, pictures: RealmPictures) =>
  Object.fromEntries(
    PICTURE_NAMES.flatMap((name) => Object.entries(pictureFields(realm, name, pictures[name] ?? null))),
  );

const prefixed = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`realm_${name}`, value]));
