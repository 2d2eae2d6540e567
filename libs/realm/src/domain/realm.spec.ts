import type { ChannelId, GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import { Role, SYSTEM_GROUPS } from '@annals/kernel/domain';
import { given, recorded } from '../../../../test/support/events/recorded-events';
import type { RealmSettingsChanged } from './events';
import type { Realm, SettingsPatch } from './realm';
import { changeSettings, createRealm, forgetChannel, realmAggregate } from './realm';
import type { SystemGroups } from './system-groups';

const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const created = createRealm(null, {
  subdomain: '',
  uuid: '00000000-0000-4000-8000-00000000000a',
  name: 'Meadow',
  systemGroups: groups,
  notificationBotId: 2 as UserId,
});
const realm = given(realmAggregate, ...created) as NonNullable<Realm>;
const administrator = { role: Role.administrator };

const input = (requested: Partial<SettingsPatch>): SettingsPatch => ({
  settings: {},
  texts: {},
  expected: {},
  ...requested,
});
const change = (requested: Partial<SettingsPatch>, state = realm, actor: { role: Role } = administrator) =>
  changeSettings(state, input(requested), actor);
const after = (facts: readonly RealmSettingsChanged[]) =>
  facts.reduce<Realm>((state, fact) => realmAggregate.evolve(state, recorded(fact)), realm) as NonNullable<Realm>;
const people = (...users: number[]): GroupSetting => ({ directMembers: users as UserId[], directSubgroups: [] });
const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    const { code, extra } = error as { code: string; extra: object };
    return { code, ...extra };
  }
  throw new Error('nothing was refused');
};

describe('a new organization', () => {
  it('records every setting with its value at that time', () => {
    expect(created[0]?.data.settings).toMatchObject({
      message_content_edit_limit_seconds: 600,
      topics_policy: 'allow_empty_topic',
      waiting_period_threshold: 0,
      new_stream_announcements_stream_id: null,
      can_create_public_channel_group: groups.members,
      can_create_web_public_channel_group: groups.owners,
      can_mention_many_users_group: groups.administrators,
      direct_message_permission_group: groups.everyone,
    });
  });

  it('keeps its name in the sealed part', () => {
    expect(created[0]?.sealed).toMatchObject({ name: 'Meadow', description: '' });
    expect(JSON.stringify(created[0]?.data)).not.toContain('Meadow');
  });

  it('is not created twice', () => {
    expect(() => createRealm(realm, { ...created[0]!.data, name: 'Again' })).toThrow('exists already');
  });

  it('uses the default of a setting that it does not record', () => {
    const { allow_message_editing: _, ...older } = created[0]!.data.settings;
    const [fact] = created;
    const state = given(realmAggregate, { ...fact!, data: { ...fact!.data, settings: older } });
    expect(state?.settings.allow_message_editing).toBe(true);
  });
});

describe('changing settings', () => {
  it('records the new and the old value', () => {
    expect(change({ settings: { org_type: 10, allow_message_editing: true } })).toMatchObject([
      { data: { settings: { org_type: 10 }, previous: { org_type: 0 } }, sealed: {} },
    ]);
  });

  it('is restricted to owners for settings about joining and about managing groups', () => {
    const owner = { role: Role.owner };
    for (const settings of [
      { waiting_period_threshold: 3 },
      { disallow_disposable_email_addresses: false },
      { can_create_groups: groups.moderators },
      { can_manage_all_groups: groups.moderators },
    ]) {
      expect(refusal(() => change({ settings })).code).toBe('UNAUTHORIZED_PRINCIPAL');
      expect(change({ settings }, realm, owner)).toMatchObject([{ data: { settings } }]);
    }
  });

  it('removes a time limit', () => {
    const state = after(change({ settings: { message_content_edit_limit_seconds: null } }));
    expect(state.settings.message_content_edit_limit_seconds).toBeNull();
  });

  it('keeps texts apart from facts', () => {
    const [fact] = change({ texts: { name: 'Forest', description: '' } });
    expect(fact).toMatchObject({ data: { settings: {}, previous: {} }, sealed: { name: 'Forest' } });
    expect(fact?.sealed).not.toHaveProperty('description');
  });

  it('leaves no event when nothing changes', () => {
    expect(change({})).toEqual([]);
    expect(change({ settings: { topics_policy: 'allow_empty_topic' }, texts: { name: 'Meadow' } })).toEqual([]);
  });

  it('sets a channel and unsets it', () => {
    const set = after(change({ settings: { new_stream_announcements_stream_id: 7 as ChannelId } }));
    expect(set.settings.new_stream_announcements_stream_id).toBe(7);
    const facts = change({ settings: { new_stream_announcements_stream_id: null } }, set);
    expect(facts[0]?.data.previous).toEqual({ new_stream_announcements_stream_id: 7 });
  });

  it('is for administrators', () => {
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      const attempts = [input({ settings: { allow_message_editing: false } }), input({ texts: { name: 'Mine' } })];
      for (const attempt of attempts) {
        expect(refusal(() => changeSettings(realm, attempt, { role }))).toEqual({ code: 'UNAUTHORIZED_PRINCIPAL' });
      }
    }
  });

  it('refuses a setting of the operator', () => {
    expect(refusal(() => change({ settings: { owner_full_content_access: true } })).code).toBe('BAD_REQUEST');
  });

  it('changes nothing when one of several is refused', () => {
    const settings = { allow_message_editing: false, can_create_bots_group: groups.internet };
    expect(refusal(() => change({ settings })).code).toBe('BAD_REQUEST');
  });
});

describe('changing a group setting', () => {
  const set = (value: GroupSetting, old?: GroupSetting, state = realm) =>
    change(
      {
        settings: { can_create_bots_group: value },
        expected: old === undefined ? {} : { can_create_bots_group: old },
      },
      state,
    );

  it('converts the value to its normal form', () => {
    expect(set(people(9, 4, 9))[0]?.data.settings).toEqual({ can_create_bots_group: people(4, 9) });
    expect(set({ directMembers: [], directSubgroups: [groups.moderators] })[0]?.data.settings).toEqual({
      can_create_bots_group: groups.moderators,
    });
    expect(set(people())[0]?.data.settings).toEqual({ can_create_bots_group: groups.nobody });
  });

  it('leaves no event for an equal value in another order', () => {
    expect(set(people(4, 9), undefined, after(set(people(9, 4))))).toEqual([]);
  });

  it('requires the expected old value to be right', () => {
    expect(set(groups.owners, groups.members)).toHaveLength(1);
    expect(set(groups.owners, { directMembers: [], directSubgroups: [groups.members] })).toHaveLength(1);
    expect(refusal(() => set(groups.owners, groups.moderators))).toEqual({ code: 'EXPECTATION_MISMATCH' });
    expect(refusal(() => set(groups.members, groups.moderators))).toEqual({ code: 'EXPECTATION_MISMATCH' });
  });

  it.each([
    ['can_create_bots_group', groups.everyone],
    ['can_create_bots_group', groups.internet],
    ['direct_message_permission_group', groups.internet],
    ['can_create_web_public_channel_group', groups.members],
  ] as const)('never sets %s to system group %i', (name, group) => {
    expect(refusal(() => change({ settings: { [name]: group } }))).toEqual({ code: 'BAD_REQUEST' });
  });

  it('accepts everyone if guests may have the permission, also with others', () => {
    const mixed = { directMembers: [4 as UserId], directSubgroups: [groups.everyone] };
    expect(change({ settings: { direct_message_permission_group: mixed } })).toHaveLength(1);
    expect(change({ settings: { can_mention_many_users_group: groups.everyone } })).toHaveLength(1);
  });

  it.each([people(4), 99 as GroupId])('requires a system group if only those are allowed, not %j', (value) => {
    expect(refusal(() => change({ settings: { can_create_web_public_channel_group: value } }))).toEqual({
      code: 'SYSTEM_GROUP_REQUIRED',
      setting_name: 'can_create_web_public_channel_group',
    });
  });

  it('never accepts the internet, not even as part of a value', () => {
    const value = { directMembers: [4 as UserId], directSubgroups: [groups.internet] };
    expect(refusal(() => set(value)).code).toBe('BAD_REQUEST');
  });
});

describe('an archived channel', () => {
  it('is removed from settings', () => {
    const channel = 4 as ChannelId;
    const pointing = after(
      change({ settings: { new_stream_announcements_stream_id: channel, moderation_request_channel_id: channel } }),
    );
    const forgotten = forgetChannel(pointing, channel);
    expect(forgotten[0]?.data.settings).toEqual({
      moderation_request_channel_id: null,
      new_stream_announcements_stream_id: null,
    });
    expect(forgetChannel(pointing, 5 as ChannelId)).toEqual([]);
    expect(forgetChannel(after([...forgotten]), channel)).toEqual([]);
  });
});
