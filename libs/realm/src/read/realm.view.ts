import { defineProjection, on } from '@annals/kernel';
import type { RowChanges } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { RealmCreated, RealmSettingsChanged } from '../domain/events';
import type { RealmEvent } from '../domain/events';

/** An organization: what never changes in one row, each setting and each text in one of its own. */
export const realmView = defineProjection({
  name: 'realm',
  version: 1,
  lifecycle: 'inline',
  tables: {
    realms: {
      columns: {
        subdomain: 'text',
        uuid: 'text',
        system_groups: 'jsonb',
        notification_bot_id: 'int8',
        created_at: 'int8',
      },
      key: ['subdomain'],
    },
    realm_settings: { columns: { name: 'text', value: 'jsonb' }, key: ['name'], changesOften: true },
    realm_texts: { columns: { name: 'text', value: 'text' }, key: ['name'], sealed: ['value'], changesOften: true },
  },
  handlers: [
    on(RealmCreated, (event, rows) => {
      const { subdomain, uuid, systemGroups, notificationBotId } = event.data;
      rows.insert('realms', {
        subdomain,
        uuid,
        system_groups: systemGroups,
        notification_bot_id: notificationBotId,
        created_at: event.at,
      });
      writeValues(event, rows);
    }),
    on(RealmSettingsChanged, writeValues),
  ],
});

function writeValues({ data, sealed }: Recorded<RealmEvent>, rows: RowChanges): void {
  for (const [name, value] of Object.entries(data.settings)) rows.upsert('realm_settings', { name, value });
  // What was erased stays as it is until erasure itself has visited the table.
  for (const [name, value] of Object.entries(sealed === 'erased' ? {} : sealed))
    rows.upsert('realm_texts', { name, value });
}
