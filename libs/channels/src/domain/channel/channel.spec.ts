import type { Actor, ChannelId, GroupId, RealmId, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { ChannelInput } from './channel-input';
import { createChannel, firstChannel } from './channel';
import type { CreationRules } from '../policies';

const [NOBODY, OWNERS, ADMINISTRATORS, MODERATORS, FULLMEMBERS, MEMBERS, EVERYONE, INTERNET] = [
  1, 2, 3, 4, 5, 6, 7, 8,
] as GroupId[] as [GroupId, GroupId, GroupId, GroupId, GroupId, GroupId, GroupId, GroupId];
const TEAM = 20 as GroupId;
const systemGroups = {
  nobody: NOBODY,
  administrators: ADMINISTRATORS,
  moderators: MODERATORS,
  fullmembers: FULLMEMBERS,
  everyone: EVERYONE,
};
const CLOSURES: Record<Role, GroupId[]> = {
  100: [OWNERS, ADMINISTRATORS, MODERATORS, FULLMEMBERS, MEMBERS, EVERYONE, INTERNET],
  200: [ADMINISTRATORS, MODERATORS, FULLMEMBERS, MEMBERS, EVERYONE, INTERNET],
  300: [MODERATORS, FULLMEMBERS, MEMBERS, EVERYONE, INTERNET],
  400: [FULLMEMBERS, MEMBERS, EVERYONE, INTERNET],
  600: [EVERYONE, INTERNET],
};

const actor = (role: Role = Role.member): Actor => ({
  realmId: 1 as RealmId,
  userId: 10 as UserId,
  role,
  botType: null,
  botOwnerId: null,
  groups: new Set(CLOSURES[role]),
  version: 1,
  canCreateUsers: false,
  canChangeUserEmails: false,
  origin: { client: 'test', correlation: 'c', address: null },
});

const rules: CreationRules = {
  nameTaken: false,
  canCreatePublic: MEMBERS,
  canCreatePrivate: MEMBERS,
  canCreateWebPublic: OWNERS,
  webPublicEnabled: false,
  folder: 'none',
  canSetTopicsPolicy: MEMBERS,
  canSetDeleteMessagePolicy: MODERATORS,
  systemGroups,
};

const input = (different: Partial<ChannelInput> = {}): ChannelInput => ({
  name: 'design',
  description: '',
  inviteOnly: false,
  isWebPublic: false,
  isDefault: false,
  historyPublicToSubscribers: null,
  topicsPolicy: 'inherit',
  messageRetentionDays: null,
  folderId: null,
  settings: {},
  ...different,
});

const create = (different: Partial<ChannelInput> = {}, by = actor(), under: Partial<typeof rules> = {}) =>
  createChannel(5 as ChannelId, input(different), by, { ...rules, ...under })[0];

describe('creating a channel', () => {
  it('records all properties, and the settings with their defaults', () => {
    expect(create({ description: ' one\r\n two ' })).toEqual({
      type: 'channels.ChannelCreated',
      data: {
        channelId: 5,
        creatorId: 10,
        inviteOnly: false,
        isWebPublic: false,
        historyPublicToSubscribers: true,
        isDefault: false,
        topicsPolicy: 'inherit',
        messageRetentionDays: null,
        folderId: null,
        settings: {
          can_add_subscribers_group: NOBODY,
          can_administer_channel_group: { directMembers: [10], directSubgroups: [] },
          can_create_topic_group: EVERYONE,
          can_delete_any_message_group: NOBODY,
          can_delete_own_message_group: NOBODY,
          can_move_messages_out_of_channel_group: NOBODY,
          can_move_messages_within_channel_group: NOBODY,
          can_remove_subscribers_group: ADMINISTRATORS,
          can_resolve_topics_group: NOBODY,
          can_send_message_group: EVERYONE,
          can_subscribe_group: NOBODY,
        },
      },
      sealed: { name: 'design', description: 'one two' },
    });
  });

  it.each([
    [{}, true],
    [{ historyPublicToSubscribers: false }, true],
    [{ inviteOnly: true }, false],
    [{ inviteOnly: true, historyPublicToSubscribers: false }, false],
    [{ inviteOnly: true, historyPublicToSubscribers: true }, true],
  ])('shares the history of %j: %s', (privacy, shared) => {
    expect(create(privacy)?.data.historyPublicToSubscribers).toBe(shared);
  });

  it.each<[string, Partial<ChannelInput>, Actor, Partial<typeof rules>]>([
    ['CHANNEL_ALREADY_EXISTS', {}, actor(), { nameTaken: true }],
    ['BAD_REQUEST', { inviteOnly: true }, actor(), { canCreatePrivate: ADMINISTRATORS }],
    ['BAD_REQUEST', {}, actor(), { canCreatePublic: ADMINISTRATORS }],
    ['BAD_REQUEST', {}, actor(Role.guest), { canCreatePublic: EVERYONE }],
    ['BAD_REQUEST', { isDefault: true }, actor(Role.moderator), {}],
    ['BAD_REQUEST', { isDefault: true, inviteOnly: true }, actor(Role.owner), {}],
    ['BAD_REQUEST', { isWebPublic: true }, actor(Role.owner), {}],
    ['BAD_REQUEST', { isWebPublic: true }, actor(Role.administrator), { webPublicEnabled: true }],
    ['BAD_REQUEST', { isWebPublic: true, inviteOnly: true }, actor(Role.owner), { webPublicEnabled: true }],
    ['BAD_REQUEST', { folderId: 1 }, actor(Role.owner), { folder: 'unknown' }],
    ['BAD_REQUEST', { folderId: 1 }, actor(Role.owner), { folder: 'archived' }],
    ['BAD_REQUEST', { topicsPolicy: 'empty_topic_only' }, actor(), { canSetTopicsPolicy: MODERATORS }],
    ['UNAUTHORIZED_PRINCIPAL', { messageRetentionDays: 30 }, actor(Role.administrator), {}],
    ['UNAUTHORIZED_PRINCIPAL', { messageRetentionDays: -1 }, actor(Role.administrator), {}],
    ['BAD_REQUEST', { messageRetentionDays: 30 }, actor(Role.owner), {}],
  ])('is refused with %s: %j', (code, different, by, under) => {
    expect(() => create(different, by, under)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it('lets administrators make default channels and owners set a retention', () => {
    expect(create({ isDefault: true }, actor(Role.administrator))?.data.isDefault).toBe(true);
    expect(create({ messageRetentionDays: -1 }, actor(Role.owner))?.data.messageRetentionDays).toBe(-1);
  });
});

describe('permission settings of a new channel', () => {
  it('are the given ones, and defaults for the others', () => {
    const settings = create({ settings: { can_send_message_group: TEAM } })?.data.settings;
    expect(settings).toMatchObject({ can_send_message_group: TEAM, can_create_topic_group: EVERYONE });
  });

  it.each(['can_delete_any_message_group', 'can_delete_own_message_group'] as const)(
    'restricts %s to users who may set the delete policy, except for the value nobody',
    (name) => {
      const set = (group: GroupId, by: Actor) => create({ settings: { [name]: group } }, by)?.data.settings[name];
      expect(() => set(TEAM, actor())).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }) as Error);
      expect(set(TEAM, actor(Role.moderator))).toBe(TEAM);
      expect(set(NOBODY, actor())).toBe(NOBODY);
    },
  );

  it('requires everyone as topic creators if history is protected', () => {
    const settings = { can_create_topic_group: TEAM };
    expect(() => create({ inviteOnly: true, settings })).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        extra: { parameters: 'history_public_to_subscribers, can_create_topic_group' },
      }) as Error,
    );
    expect(create({ inviteOnly: true, historyPublicToSubscribers: true, settings })).toBeDefined();
    expect(create({ inviteOnly: true, settings: { can_create_topic_group: EVERYONE } })).toBeDefined();
  });
});

test('the first channel of an organization has no creator', () => {
  const { data } = firstChannel(1 as ChannelId, { name: 'general', description: 'For all' }, systemGroups);
  expect(data).toMatchObject({ creatorId: null, isDefault: true, inviteOnly: false });
  expect(data.settings.can_administer_channel_group).toBe(NOBODY);
});
