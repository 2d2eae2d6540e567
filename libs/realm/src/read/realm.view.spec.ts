import type { ChannelId, GroupId, UserId } from '@annals/kernel/domain';
import { SYSTEM_GROUPS, fact } from '@annals/kernel/domain';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import { RealmSettingsChanged } from '../domain/events';
import { createRealm } from '../domain/realm';
import type { RealmSettings } from '../domain/settings';
import { defaultSettings } from '../domain/settings';
import type { SystemGroups } from '../domain/system-groups';
import { realmContext } from '../realm.context';
import { findRealm } from './organization/realm-by-host';
import { RealmFacts } from './realm-facts';
import { readRealm } from './realm-row';

const systemGroups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const founding = { subdomain: '', uuid: '00000000-0000-4000-8000-00000000000a', name: 'Meadow' };
const [created] = createRealm(null, { ...founding, systemGroups, notificationBotId: 2 as UserId });

describe('the read model of an organization', () => {
  let test: TestKernel;
  let facts: RealmFacts;
  beforeAll(async () => {
    test = await openTestKernel([realmContext]);
    facts = new RealmFacts(test.kernel);
  });
  afterAll(() => test.close());

  const current = async () => {
    await test.kernel.fence.reach(REALM);
    return facts.of(REALM);
  };

  it('returns nothing for an unknown organization', async () => {
    expect(await readRealm(test.kernel.database.pool, REALM)).toBeUndefined();
    expect(await findRealm(test.kernel, '')).toBeUndefined();
    await expect(current()).rejects.toMatchObject({ code: 'NONEXISTENT_SUBDOMAIN' });
  });

  it('shows the defaults of a new one', async () => {
    await test.state(['realm', created!]);
    expect(await findRealm(test.kernel, '')).toBe(REALM);
    expect(await current()).toEqual({
      realmId: REALM,
      subdomain: '',
      uuid: founding.uuid,
      createdAt: test.clock.now(),
      systemGroups,
      notificationBotId: 2,
      settings: defaultSettings(systemGroups),
      texts: { name: 'Meadow', description: '', welcome_message_custom_text: '' },
    });
  });

  it('stores changed settings, with their types', async () => {
    const settings: Partial<RealmSettings> = {
      message_content_edit_limit_seconds: null,
      topics_policy: 'disable_empty_topic',
      waiting_period_threshold: 3,
      enable_spectator_access: true,
      new_stream_announcements_stream_id: 7 as ChannelId,
      can_create_bots_group: { directMembers: [3 as UserId], directSubgroups: [4 as GroupId] },
    };
    await test.state(['realm', fact(RealmSettingsChanged, { settings, previous: {} }, { description: 'Grass' })]);
    const realm = await current();
    expect(realm.settings).toEqual({ ...defaultSettings(systemGroups), ...settings });
    expect(realm.texts).toMatchObject({ name: 'Meadow', description: 'Grass' });
  });

  it('keeps one row for a setting that changes twice in one append', async () => {
    const days = (waiting_period_threshold: number) =>
      ['realm', fact(RealmSettingsChanged, { settings: { waiting_period_threshold }, previous: {} }, {})] as const;
    await test.state(days(5), days(9));
    expect((await current()).settings.waiting_period_threshold).toBe(9);
  });
});
