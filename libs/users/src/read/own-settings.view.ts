import { defineProjection, on } from '@annals/kernel';
import { OwnSettingsChanged } from '../domain/events';

/** What people chose for themselves: a row per setting that was ever changed. */
export const ownSettingsView = defineProjection({
  name: 'own_settings',
  version: 1,
  lifecycle: 'inline',
  tables: {
    own_settings: {
      columns: { user_id: 'int8', name: 'text', value: 'jsonb' },
      key: ['user_id', 'name'],
      changesOften: true,
    },
  },
  handlers: [
    on(OwnSettingsChanged, ({ data: { userId, settings } }, rows) => {
      for (const [name, value] of Object.entries(settings)) {
        rows.upsert('own_settings', { user_id: userId, name, value });
      }
    }),
  ],
});
