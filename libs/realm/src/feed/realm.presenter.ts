import type { PositionedClientEvent, Presenter } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { RealmSettings, RealmTexts, TextName } from '../domain/settings';
import type { OfferedMethods } from '../read/authentication/authentication-methods';
import { presentMethods } from '../read/authentication/present-methods';
import type { PictureName } from '../domain/pictures/realm-picture-events';
import { pictureFields } from '../read/pictures/pictures';
import { presentSettings } from '../read/present-settings';
import type { RealmRow } from '../read/realm-row';
import { readRealm } from '../read/realm-row';
import type { DepartedAmong } from '../read/register';
import { departedIn } from '../read/register';

interface PicturePayload {
  readonly picture: PictureName;
  readonly file: string | null;
}

interface SettingsPayload {
  readonly settings: Partial<RealmSettings>;
  readonly texts: readonly TextName[];
  /** Sent as `update`, one event for each property. */
  readonly single?: boolean;
}

interface MethodsPayload {
  readonly methods: OfferedMethods;
}

/** Nobody can use the organization any more. */
interface DeactivatedPayload {
  readonly isDeactivated: true;
}

type Payload = SettingsPayload | PicturePayload | MethodsPayload | DeactivatedPayload;

const payloadOf = (event: PositionedClientEvent) => event.payload as unknown as Payload;
const isPicture = (payload: Payload): payload is PicturePayload => 'picture' in payload;
const isSettings = (payload: Payload): payload is SettingsPayload => 'settings' in payload;
const isDeactivated = (payload: Payload): payload is DeactivatedPayload => 'isDeactivated' in payload;

/**
 * `realm`/`update_dict`, and `realm`/`update` for a change that follows from another one (contract/realtime.md section
 * 6.5). Texts are the present ones.
 */
export const realmPresenter = (departedAmong: DepartedAmong): Presenter =>
  definePresenter({
    type: 'realm',
    load: async ({ client, realmId }, events) => {
      const realm = await readRealm(client, realmId);
      if (!realm) throw new Error(`realm ${realmId} does not exist`);
      const settings = events.map(payloadOf).flatMap((payload) => (isSettings(payload) ? payload.settings : []));
      return { realm, departed: await departedIn(client, realmId, settings, departedAmong) };
    },
    present: (event, { realm, departed }) => {
      const payload = payloadOf(event);
      if (isDeactivated(payload)) return [{ type: 'realm', op: 'deactivated', realm_id: realm.realmId }];
      if (isPicture(payload)) return presentPicture(payload, realm);
      return isSettings(payload) ? presentChange(payload, realm, departed) : presentChoice(payload);
    },
    variant: () => 'all',
  });

const presentPicture = ({ picture, file }: PicturePayload, realm: RealmRow) => [
  { type: 'realm', op: 'update_dict', property: picture, data: pictureFields(realm, picture, file) },
];

const presentChoice = ({ methods }: MethodsPayload) => [
  { type: 'realm', op: 'update_dict', property: 'default', data: { authentication_methods: presentMethods(methods) } },
];

function presentChange({ settings, texts, single }: SettingsPayload, realm: RealmRow, departed: ReadonlySet<UserId>) {
  const current: Partial<RealmTexts> = Object.fromEntries(texts.map((name) => [name, realm.texts[name]]));
  const data = presentSettings(settings, current, realm.systemGroups, (user) => !departed.has(user as UserId));
  if (!single) return [{ type: 'realm', op: 'update_dict', property: 'default', data }];
  return Object.entries(data).map(([property, value]) => ({ type: 'realm', op: 'update', property, value }));
}
