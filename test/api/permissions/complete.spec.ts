import { granted } from '../../support/server/caller';
import { groupsSeen } from '../../support/requests/groups';
import { CHANNEL_ACTS } from '../../support/permissions/channel-acts';
import type { SettingScope, Rule } from '../../support/permissions/contract';
import { SETTINGS } from '../../support/permissions/contract';
import { GROUP_ACTS } from '../../support/permissions/group-acts';
import { HAVERS, madeOf } from '../../support/permissions/setting-owners';
import { ORGANIZATION_ACTS } from '../../support/permissions/organization-acts';
import { Stage } from '../../support/permissions/stage';

/** Settings without an effect yet. A change that implements one removes it here and adds its acts. */
const NOT_YET: Readonly<Record<SettingScope, readonly string[]>> = {
  stream: [],
  group: [],
  realm: ['can_manage_holds_group', 'can_summarize_topics_group'],
};

/** Settings that clients support (contract/boot.md section 5.2), for features that this server does not have. */
const ABOUT_NOTHING = ['can_manage_billing_group', 'workplace_users_group'];

const ACTS = { stream: CHANNEL_ACTS, group: GROUP_ACTS, realm: ORGANIZATION_ACTS };
const ALL = Object.keys(SETTINGS) as SettingScope[];
const rulesOf = (of: SettingScope) => Object.entries<Rule>(SETTINGS[of]);
const sorted = (names: Iterable<string>) => [...names].sort();

let stage: Stage;
let catalogue: Record<SettingScope, Record<string, unknown>>;
beforeAll(async () => {
  stage = await Stage.open();
  const state = await stage.keeper.register({ fetch_event_types: ['realm'] });
  catalogue = state['server_supported_permission_settings'] as typeof catalogue;
});
afterAll(() => stage.close());

describe.each(ALL)('the permission settings of a %s', (of) => {
  it('are either tested in a table, or not implemented yet', () => {
    const asked = new Set(ACTS[of].map(({ setting }) => setting));
    expect(sorted([...asked, ...NOT_YET[of]])).toEqual(sorted(Object.keys(SETTINGS[of])));
  });

  it('are the defaults of the contract', () => {
    const beyond = of === 'realm' ? ABOUT_NOTHING : [];
    expect(sorted(Object.keys(catalogue[of]))).toEqual(sorted([...Object.keys(SETTINGS[of]), ...beyond]));
  });

  it.each(rulesOf(of))('%s is described correctly to clients', (setting, { initially, everyone, nobody, only }) => {
    expect(catalogue[of][setting]).toEqual({
      require_system_group: only !== undefined,
      allow_internet_group: false,
      allow_nobody_group: nobody,
      allow_everyone_group: everyone,
      default_group_name:
        initially === 'creator' ? (of === 'stream' ? 'channel_creator' : 'group_creator') : `role:${initially}`,
      default_for_system_groups: of === 'group' ? 'role:nobody' : null,
      allowed_system_groups: (only ?? []).map((name) => `role:${name}`),
    });
  });
});

describe('a new object', () => {
  const initial = (of: SettingScope, creator: unknown) =>
    Object.fromEntries(
      rulesOf(of).map(([name, { initially }]) => [name, initially === 'creator' ? creator : stage.groups[initially]]),
    );

  it.each(HAVERS.map((haver) => [haver.of, haver] as const))(
    'of type %s has the default permissions',
    async (of, haver) => {
      const made = await haver.see(stage.keeper, await madeOf(haver, stage));
      const creator = { direct_members: [stage.keeper.id], direct_subgroups: [] };
      expect(made).toMatchObject(initial(of, creator));
    },
  );

  it('has them also where a channel is created by a subscription, or by the system', async () => {
    const { keeper, people } = stage;
    const by = people['new member'];
    granted(await by.post('/users/me/subscriptions', { subscriptions: [{ name: 'mine' }] }));
    const { body } = await keeper.get<{ streams: { name: string; creator_id: number | null }[] }>('/streams');
    const mine = body.streams.find(({ name }) => name === 'mine');
    expect(mine).toMatchObject(initial('stream', { direct_members: [by.id], direct_subgroups: [] }));
    const first = body.streams.find(({ creator_id }) => creator_id === null);
    expect(first).toMatchObject(initial('stream', stage.groups['nobody']));
  });

  it('gives nobody permissions on system groups', async () => {
    const nobody = Object.fromEntries(rulesOf('group').map(([name]) => [name, stage.groups['nobody']]));
    const system = (await groupsSeen(stage.keeper)).filter((group) => group['is_system_group']);
    expect(system).toHaveLength(8);
    for (const group of system) expect(group).toMatchObject(nobody);
  });
});

describe('the older posting policies', () => {
  it.each([
    ['everyone', 1],
    ['administrators', 2],
    ['fullmembers', 3],
    ['moderators', 4],
    ['nobody', 1],
    ['owners', 1],
    ['members', 1],
    ['a group with a group inside', 1],
    ['people and groups', 1],
  ] as const)('show %s as %i', async (value, stream_post_policy) => {
    const { id } = await stage.channel({ can_send_message_group: stage.valueOf(value) });
    const { stream } = granted(await stage.keeper.get<{ stream: object }>(`/streams/${id}`));
    expect(stream).toMatchObject({ stream_post_policy, is_announcement_only: stream_post_policy === 2 });
  });
});
