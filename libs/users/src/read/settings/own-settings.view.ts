import { defineProjection, on } from '@annals/kernel';
import { DefaultSettingsChanged, OwnSettingsChanged, ProfileDeleted } from '../../domain/events';

/** Settings that users chose for themselves: a row per setting that was ever changed. */
export const ownSettingsView = defineProjection({
  name: 'own_settings',
  version: 4,
  lifecycle: 'inline',
  tables: {
    own_settings: {
      columns: { user_id: 'int8', name: 'text', value: 'jsonb' },
      key: ['user_id', 'name'],
      indexes: [
        // Few users have notifications for all messages, and they are read for each message.
        { on: ['user_id'], where: `name = 'enable_stream_push_notifications' AND value = 'true'` },
        { on: ['user_id'], where: `name = 'resolved_topic_notice_auto_read_policy' AND value = '"never"'` },
      ],
      sealed: ['value'],
      changesOften: true,
    },
  },
  handlers: [
    on(OwnSettingsChanged, ({ data: { userId, settings }, sealed }, rows) => {
      const timezone = sealed === 'erased' ? undefined : sealed.timezone?.to;
      for (const [name, value] of Object.entries({ ...settings, ...(timezone !== undefined && { timezone }) })) {
        rows.upsert('own_settings', { user_id: userId, name, value });
      }
    }),
    on(ProfileDeleted, ({ data: { userId } }, rows) =>
      rows.delete('own_settings', { user_id: userId, name: 'timezone' }),
    ),
  ],
});

/** The organization's defaults for new users: a row per setting that was ever changed. */
export const defaultSettingsView = defineProjection({
  name: 'default_settings',
  version: 1,
  lifecycle: 'inline',
  tables: { default_settings: { columns: { name: 'text', value: 'jsonb' }, key: ['name'] } },
  handlers: [
    on(DefaultSettingsChanged, ({ data: { settings } }, rows) => {
      for (const [name, value] of Object.entries(settings)) rows.upsert('default_settings', { name, value });
    }),
  ],
});
