import type { FactOf } from '@annals/kernel/domain';
import { aboutRealm, defineEvent, t, userId } from '@annals/kernel/domain';
import { settingsSchema, textsSchema } from './settings';
import { systemGroupsSchema } from './system-groups';

/** An organization was created, with all its settings of that time. */
export const RealmCreated = defineEvent('realm.Created', {
  data: t.Object({
    /** Empty for the organization that the server uses for every other host name. */
    subdomain: t.String(),
    uuid: t.String({ minLength: 36, maxLength: 36 }),
    systemGroups: systemGroupsSchema,
    notificationBotId: userId,
    settings: settingsSchema,
  }),
  sealed: textsSchema,
  subjects: ({ notificationBotId }) => [...aboutRealm(), ['user', notificationBotId]],
});
export type RealmCreated = FactOf<typeof RealmCreated>;

/** Settings have new values. The event has only those that changed. */
export const RealmSettingsChanged = defineEvent('realm.SettingsChanged', {
  data: t.Object({ settings: settingsSchema, previous: settingsSchema }),
  sealed: textsSchema,
  subjects: aboutRealm,
});
export type RealmSettingsChanged = FactOf<typeof RealmSettingsChanged>;

export type RealmEvent = RealmCreated | RealmSettingsChanged;
