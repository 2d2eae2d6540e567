import type { QueueProfile } from '@annals/kernel';
import { feedReader } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import { Role, SYSTEM_GROUPS } from '@annals/kernel/domain';
import { recorded } from '../../../../test/support/events/recorded-events';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import type { Realm, SettingsPatch } from '../domain/realm';
import { changeSettings, createRealm, realmAggregate } from '../domain/realm';
import type { SystemGroups } from '../domain/system-groups';
import { realmContext } from '../realm.context';
import { realmFeed } from './realm.feed';
import { realmPresenter } from './realm.presenter';

const systemGroups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const founding = { subdomain: '', uuid: '00000000-0000-4000-8000-00000000000a', name: 'Meadow' };
const [created] = createRealm(null, { ...founding, systemGroups, notificationBotId: 2 as UserId });
const LEFT = 4 as UserId;

describe('client events of settings', () => {
  let test: TestKernel;
  let realm: NonNullable<Realm>;
  beforeAll(async () => {
    test = await openTestKernel([realmContext]);
    await test.state(['realm', created!]);
    realm = realmAggregate.evolve(null, recorded(created!)) as NonNullable<Realm>;
  });
  afterAll(() => test.close());

  /** The client events after these settings changed. */
  const received = async (input: Partial<SettingsPatch>) => {
    const facts = changeSettings(realm, { settings: {}, texts: {}, expected: {}, ...input }, { role: Role.owner });
    for (const fact of facts) await test.state(['realm', fact]);
    const presenter = realmPresenter(async (_client, _realm, users) => new Set(users.filter((user) => user === LEFT)));
    return test.kernel.database.snapshot(async (client) => {
      const clientEvents = facts.flatMap((fact) => {
        const event = recorded(fact);
        return realmFeed.translations.get(event.type)?.(event, null, [event]) ?? [];
      });
      const placed = clientEvents.map((event) => ({ ...event, position: 1 as Position, k: 0 }));
      const loaded = await presenter.load(feedReader(test.kernel.events, REALM, client), placed, [], []);
      return placed.map((event) => ({
        audience: event.audience,
        wire: presenter.present(event, loaded as never, {} as QueueProfile),
      }));
    });
  };

  it('are one dictionary for all, with values derived from the settings', async () => {
    const settings = {
      topics_policy: 'disable_empty_topic',
      message_content_edit_limit_seconds: null,
      can_create_public_channel_group: systemGroups.moderators,
    } as const;
    expect(await received({ settings, texts: { description: '**Grass**' } })).toEqual([
      {
        audience: { kind: 'everyone' },
        wire: [
          {
            type: 'realm',
            op: 'update_dict',
            property: 'default',
            data: {
              topics_policy: 'disable_empty_topic',
              mandatory_topics: true,
              message_content_edit_limit_seconds: null,
              can_create_public_channel_group: systemGroups.moderators,
              create_public_stream_policy: 4,
              description: '**Grass**',
              rendered_description: '<p><strong>Grass</strong></p>',
            },
          },
        ],
      },
    ]);
  });

  it('leave deactivated users out of group settings', async () => {
    const value = { directMembers: [LEFT, 7 as UserId], directSubgroups: [] };
    const [event] = await received({ settings: { can_create_bots_group: value } });
    expect(event?.wire).toMatchObject([
      { data: { can_create_bots_group: { direct_members: [7], direct_subgroups: [] } } },
    ]);
  });

  it('are absent when nothing changed', async () => {
    expect(await received({ texts: { name: 'Meadow' } })).toEqual([]);
  });
});
