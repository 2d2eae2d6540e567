import { Client } from 'pg';
import type { TestDatabase } from '../support/server/database';
import { createTestDatabase } from '../support/server/database';
import { openKernel } from '../../apps/shared/src/open-kernel';
import { readSettings } from '../../apps/shared/src/settings';

/**
 * Tables that are not of one realm: installation, migrations, read models, and running processes. Every other key
 * begins with the realm, so that a query can never join two of them and the schema can be distributed by realm.
 */
const OF_NO_REALM = new Set(['follower_processes', 'installation', 'migrations', 'processes', 'projections']);

/** Columns of read models with texts that nobody wrote: codes, settings, addresses of files. All others are sealed. */
const NOT_WRITTEN = [
  'bot_channels.what',
  'bot_programs.program',
  'bot_webhooks.format',
  'channels.settings',
  'channels.topics_policy',
  'consumer_sinks.kind',
  ...['consumer_view', 'subjects', 'types'].map((column) => `consumers.${column}`),
  'default_settings.name',
  'default_settings.value',
  'drafts.target',
  'erasure_orders.kind',
  'erasure_orders.name',
  ...['content_type', 'formats', 'key', 'made', 'state'].map((column) => `file_images.${column}`),
  'files.content_type',
  'files.key',
  'issued_keys.client',
  'legacy_push_tokens.app_id',
  'legacy_push_tokens.token_id',
  'legacy_push_tokens.token_kind',
  'messages.client',
  'onboarding_steps.step',
  'organization_hosts.host',
  'organization_limits.name',
  'organization_subdomains.subdomain',
  'own_settings.name',
  'profile_fields.subtype',
  'provisioning_tokens.rights',
  'push_devices.error_code',
  'push_devices.pending_token_id',
  'push_devices.pending_token_kind',
  'push_devices.token_id',
  'push_devices.token_kind',
  'reactions.emoji_code',
  'reactions.reaction_type',
  'realm_authentication_methods.method',
  'realm_emoji.file',
  'realm_emoji.still_file',
  'realm_pictures.file',
  'realm_pictures.picture',
  'realm_settings.name',
  'realm_settings.value',
  'realm_texts.name',
  'realms.subdomain',
  'realms.system_groups',
  'realms.uuid',
  'scheduled.client',
  'search_configurations.configuration',
  'sessions.client',
  'sessions.method',
  'sign_in_identities.issuer',
  'subject_blocks.kind',
  'subscriptions.color',
  'upload_space.scope',
  'user_groups.can_add_members_group',
  'user_groups.can_join_group',
  'user_groups.can_leave_group',
  'user_groups.can_manage_group',
  'user_groups.can_mention_group',
  'user_groups.can_remove_members_group',
  'user_groups.system_name',
  'users.avatar_file',
];

describe('every table and every index', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    const kernel = await openKernel(readSettings({ DATABASE_URL: database.url, ANNALS_LOG_LEVEL: 'fatal' }));
    await kernel.store.ensureLive(kernel.projections);
    await kernel.close();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('begins with its realm', async () => {
    const { rows } = await client.query<{ table: string; index: string; first: string | null }>(
      `SELECT c.relname AS table, i.relname AS index, a.attname AS first
       FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
       WHERE (n.nspname = 'public' OR n.nspname LIKE 'view\\_%') AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1, 2`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ table, first }) => !OF_NO_REALM.has(table) && first !== 'realm_id')).toEqual([]);
  });

  it('of a read model has no statistics of what people wrote, because those would outlive an erasure', async () => {
    const { rows } = await client.query<{ column: string }>(
      `SELECT c.relname || '.' || a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname LIKE 'view\\_%' AND c.relkind = 'r' AND a.attnum > 0
         AND a.atttypid IN ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'tsvector'::regtype)
         AND a.attstattarget IS DISTINCT FROM 0 ORDER BY 1`,
    );
    expect(rows.map(({ column }) => column)).toEqual(NOT_WRITTEN);
  });

  it('of a read model has a key', async () => {
    const { rows } = await client.query<{ table: string; keyed: boolean }>(
      `SELECT c.relname AS table, EXISTS (SELECT FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary) AS keyed
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname LIKE 'view\\_%' AND c.relkind = 'r'`,
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ keyed }) => !keyed)).toEqual([]);
  });
});
