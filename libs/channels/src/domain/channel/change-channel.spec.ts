import type { Actor, ChannelId, GroupId, GroupSetting, RealmId, UserId } from '@annals/kernel/domain';
import { Role, fact, sameGroupSetting } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import type { ChangeRules, ChannelPatch } from './change-channel';
import { archiveChannel, changeChannel, setDefault } from './change-channel';
import type { Channel } from './channel';
import { channelAggregate, firstChannel } from './channel';
import type { ChannelEvent } from '../events';
import {
  Archived,
  ChannelRenamed,
  DefaultChanged,
  PermissionsChanged,
  PrivacyChanged,
  RetentionChanged,
  TopicsPolicyChanged,
} from '../events';

const [NOBODY, ADMINISTRATORS, MODERATORS, FULLMEMBERS, MEMBERS, EVERYONE, KEEPERS] = [
  1, 3, 4, 5, 6, 7, 20,
] as GroupId[] as [GroupId, GroupId, GroupId, GroupId, GroupId, GroupId, GroupId];
const systemGroups = {
  nobody: NOBODY,
  administrators: ADMINISTRATORS,
  moderators: MODERATORS,
  fullmembers: FULLMEMBERS,
  everyone: EVERYONE,
};
const id = 5 as ChannelId;

const person = (role: Role, ...groups: GroupId[]): Actor => ({
  realmId: 1 as RealmId,
  userId: 10 as UserId,
  role,
  botType: null,
  botOwnerId: null,
  groups: new Set(groups),
  version: 1,
  canCreateUsers: false,
  canChangeUserEmails: false,
  origin: { client: 'test', correlation: 'c', address: null },
});
const keeper = person(Role.member, KEEPERS, MEMBERS, EVERYONE);
const owner = person(Role.owner, ADMINISTRATORS, MODERATORS, MEMBERS, EVERYONE);

const rules: ChangeRules = {
  canCreatePublic: MEMBERS,
  canCreatePrivate: MEMBERS,
  canCreateWebPublic: ADMINISTRATORS,
  webPublicEnabled: true,
  canSetTopicsPolicy: MEMBERS,
  canSetDeleteMessagePolicy: MODERATORS,
  systemGroups,
  nameTaken: false,
  folder: 'none',
  isSubscribed: true,
  hasSubscribers: true,
  hasNamedTopics: false,
  isForModerationRequests: false,
  isExpected: sameGroupSetting,
};

const created = firstChannel(id, { name: 'general', description: 'for all' }, systemGroups);
const kept: ChannelEvent = {
  ...created,
  data: {
    ...created.data,
    isDefault: false,
    settings: { ...created.data.settings, can_administer_channel_group: KEEPERS },
  },
};
/** A channel after these events. */
const channel = (...events: ChannelEvent[]): Channel => {
  const state = given(channelAggregate, kept, ...events);
  if (!state) throw new Error('no channel');
  return state;
};
const privacy = (inviteOnly: boolean, historyPublicToSubscribers: boolean, isWebPublic = false) => ({
  inviteOnly,
  historyPublicToSubscribers,
  isWebPublic,
});
const hidden = fact(PrivacyChanged, { channelId: id, privacy: privacy(true, false), previous: privacy(false, true) });
const decide = (
  state: Channel,
  change: Partial<ChannelPatch>,
  { by = keeper, ...under }: Partial<ChangeRules> & { by?: Actor } = {},
) => changeChannel(state, { settings: {}, expected: {}, ...change }, by, { ...rules, ...under });

describe('changing a channel', () => {
  it('records only changes, in a fixed order', () => {
    const change = { name: 'all of us', description: 'for all', isPrivate: true, topicsPolicy: 'inherit' as const };
    expect(decide(channel(), change)).toEqual([
      hidden,
      fact(ChannelRenamed, { channelId: id }, { name: 'all of us', previous: 'general' }),
    ]);
    expect(decide(channel(), {})).toEqual([]);
  });

  it.each<[string, Partial<ChannelPatch>, Parameters<typeof decide>[2]]>([
    ['BAD_REQUEST', { name: 'general' }, {}],
    ['CHANNEL_ALREADY_EXISTS', { name: 'plans' }, { nameTaken: true }],
    ['BAD_REQUEST', { isPrivate: true }, { canCreatePrivate: NOBODY }],
    ['BAD_REQUEST', { isPrivate: true, isDefault: true }, { by: owner }],
    ['BAD_REQUEST', { isPrivate: true, isWebPublic: true }, { by: owner }],
    ['BAD_REQUEST', { isWebPublic: true }, { by: owner, webPublicEnabled: false }],
    ['BAD_REQUEST', { isWebPublic: true }, {}],
    ['BAD_REQUEST', { isWebPublic: true, historyPublicToSubscribers: false }, { by: owner }],
    ['BAD_REQUEST', { historyPublicToSubscribers: false }, {}],
    ['BAD_REQUEST', { isDefault: true }, {}],
    ['BAD_REQUEST', { isArchived: false }, {}],
    ['UNAUTHORIZED_PRINCIPAL', { messageRetentionDays: 3 }, {}],
    ['UNAUTHORIZED_PRINCIPAL', { messageRetentionDays: -1 }, {}],
    ['BAD_REQUEST', { messageRetentionDays: 3 }, { by: owner }],
    ['BAD_REQUEST', { topicsPolicy: 'disable_empty_topic' }, { canSetTopicsPolicy: MODERATORS }],
    ['BAD_REQUEST', { topicsPolicy: 'empty_topic_only' }, { hasNamedTopics: true }],
    ['BAD_REQUEST', { folderId: 3 }, { folder: 'unknown' }],
    ['BAD_REQUEST', { folderId: 3 }, { folder: 'archived' }],
    ['BAD_REQUEST', { settings: { can_delete_any_message_group: MEMBERS } }, {}],
    ['CANNOT_ADMINISTER_CHANNEL', { name: 'x' }, { by: person(Role.moderator, MEMBERS) }],
    ['BAD_REQUEST', { name: 'x' }, { by: person(Role.guest), isSubscribed: false }],
    ['CANNOT_ADMINISTER_CHANNEL', { name: 'x' }, { by: person(Role.guest, KEEPERS) }],
  ])('is refused with %s: %j', (code, change, under) => {
    expect(() => decide(channel(), change, under)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it('leaves a stored number of days, or ends it', () => {
    const set = (messageRetentionDays: number | null) =>
      fact(RetentionChanged, { channelId: id, messageRetentionDays });
    const stored = channel(set(30));
    expect(decide(stored, { messageRetentionDays: 30 }, { by: owner })).toEqual([]);
    expect(decide(stored, { messageRetentionDays: -1 }, { by: owner })).toEqual([set(-1)]);
    expect(decide(stored, { messageRetentionDays: null }, { by: owner })).toEqual([set(null)]);
    expect(() => decide(stored, { messageRetentionDays: 31 }, { by: owner })).toThrow('does not delete old messages');
  });

  it('allows the policy of the organization without the permission to set another', () => {
    const set = (topicsPolicy: Channel['topicsPolicy']) => fact(TopicsPolicyChanged, { channelId: id, topicsPolicy });
    const own = channel(set('disable_empty_topic'));
    const back = [set('inherit')];
    expect(decide(own, { topicsPolicy: 'inherit' }, { canSetTopicsPolicy: MODERATORS })).toEqual(back);
  });

  it('requires access to the content for privacy and for the settings that give it', () => {
    const outside = { by: owner, isSubscribed: false };
    const needing: Partial<ChannelPatch>[] = [
      { isPrivate: false },
      { settings: { can_subscribe_group: MEMBERS } },
      { settings: { can_add_subscribers_group: MEMBERS } },
    ];
    for (const change of needing) {
      expect(() => decide(channel(hidden), change, outside)).toThrow(/content access/);
      expect(decide(channel(hidden), change, { by: owner })).toHaveLength(1);
    }
    expect(decide(channel(hidden), { settings: { can_send_message_group: MEMBERS } }, outside)).toHaveLength(1);
  });

  it('compares permissions as sets, and detects a concurrent change', () => {
    const people = (...directMembers: number[]): GroupSetting => ({
      directMembers: directMembers as UserId[],
      directSubgroups: [],
    });
    const change = (to: GroupSetting, from?: GroupSetting) => ({
      settings: { can_send_message_group: to },
      expected: from === undefined ? {} : { can_send_message_group: from },
    });
    const [changed] = decide(channel(), change(people(1, 2), EVERYONE));
    expect(changed).toMatchObject({
      type: PermissionsChanged.type,
      data: { settings: { can_send_message_group: people(1, 2) }, previous: { can_send_message_group: EVERYONE } },
    });
    const after = channel(changed as ChannelEvent);
    expect(decide(after, change(people(2, 1)))).toEqual([]);
    expect(() => decide(after, change(MEMBERS, EVERYONE))).toThrow(
      expect.objectContaining({ code: 'EXPECTATION_MISMATCH' }) as Error,
    );
  });

  it('keeps topics open to everyone where history is protected', () => {
    const closed = { can_create_topic_group: MEMBERS };
    expect(() => decide(channel(), { isPrivate: true, settings: closed })).toThrow(/everyone/);
    expect(() => decide(channel(hidden), { settings: closed })).toThrow(/everyone/);
    const shared = { isPrivate: true, historyPublicToSubscribers: true, settings: closed };
    expect(decide(channel(), shared)).toHaveLength(2);
  });
});

describe('archiving and defaults', () => {
  it('remove the channel from the defaults first, and only once', () => {
    const isDefault = fact(DefaultChanged, { channelId: id, isDefault: true });
    const archived = archiveChannel(channel(isDefault), keeper, true);
    expect(archived.map(({ type }) => type)).toEqual([DefaultChanged.type, Archived.type]);
    expect(() => archiveChannel(channel(...archived), keeper, true)).toThrow(/already/);
    expect(decide(channel(...archived), { isArchived: false })).toHaveLength(1);
    expect(() => decide(channel(hidden, ...archived), { isArchived: false }, { hasSubscribers: false })).toThrow();
  });

  it('change nothing twice, and never make a private or archived channel a default', () => {
    expect(setDefault(channel(), false)).toEqual([]);
    expect(setDefault(channel(), true)).toHaveLength(1);
    expect(() => setDefault(channel(hidden), true)).toThrow(/private/);
    expect(() => setDefault(channel(fact(Archived, { channelId: id })), true)).toThrow();
  });
});
