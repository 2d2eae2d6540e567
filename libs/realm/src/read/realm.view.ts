import { defineProjection, on } from '@annals/kernel';
import type { RowChanges, TablePast } from '@annals/kernel';
import type { GroupSetting, Recorded } from '@annals/kernel/domain';
import { RealmCreated, RealmSettingsChanged } from '../domain/events';
import type { RealmEvent } from '../domain/events';

const valuesPast: TablePast = { streams: () => ['realm'], types: [RealmCreated, RealmSettingsChanged] };

/**
 * An organization: its constants in one row, each setting and each text in a row of its own. The restriction of guests
 * is also stored as spans of positions, because late deliveries depend on what guests could see then.
 */
export const realmView = defineProjection({
  name: 'realm',
  version: 2,
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
      past: 'added',
    },
    realm_settings: { columns: { name: 'text', value: 'jsonb' }, key: ['name'], changesOften: true, past: valuesPast },
    realm_texts: {
      columns: { name: 'text', value: 'text' },
      key: ['name'],
      sealed: ['value'],
      changesOften: true,
      past: valuesPast,
    },
    /** The group that may see all accounts, at the positions from `from_position` up to but without `to_position`. */
    sight_spans: {
      columns: { from_position: 'int8', to_position: 'int8', group_id: 'int4' },
      key: ['from_position'],
      past: 'spans',
    },
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
      openRestriction(event, rows, event.data.settings.can_access_all_users_group ?? systemGroups.everyone);
    }),
    on(RealmSettingsChanged, (event, rows) => {
      writeValues(event, rows);
      const group = event.data.settings.can_access_all_users_group;
      if (group === undefined) return;
      rows.update('sight_spans', { to_position: null }, { to_position: event.position });
      openRestriction(event, rows, group);
    }),
  ],
});

function writeValues({ data, sealed }: Recorded<RealmEvent>, rows: RowChanges): void {
  for (const [name, value] of Object.entries(data.settings)) rows.upsert('realm_settings', { name, value });
  // Erased texts remain until the erasure processes this table.
  for (const [name, value] of Object.entries(sealed === 'erased' ? {} : sealed))
    rows.upsert('realm_texts', { name, value });
}

/** It is always one system group (contract/permissions.md section 5). */
function openRestriction({ position }: Recorded<RealmEvent>, rows: RowChanges, group: GroupSetting): void {
  rows.insert('sight_spans', {
    from_position: position,
    to_position: null,
    group_id: typeof group === 'number' ? group : null,
  });
}
