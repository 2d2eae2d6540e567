import type { GroupId, SystemGroup, UserId } from '@annals/kernel/domain';
import { SYSTEM_GROUPS } from '@annals/kernel/domain';
import { NO_TEXTS, defaultSettings } from '../domain/settings';
import type { SystemGroups } from '../domain/system-groups';
import { presentSettings } from './present-settings';

const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const everybody = () => true;

describe('settings in the API', () => {
  it('have the names and defaults of the contract', () => {
    expect(presentSettings(defaultSettings(groups), NO_TEXTS, groups, everybody)).toMatchObject({
      name: '',
      rendered_description: '',
      message_content_edit_limit_seconds: 600,
      message_retention_days: -1,
      mandatory_topics: false,
      allow_edit_history: true,
      new_stream_announcements_stream_id: -1,
      can_access_all_users_group: groups.everyone,
      create_public_stream_policy: 1,
      create_private_stream_policy: 1,
      create_web_public_stream_policy: 7,
      wildcard_mention_policy: 5,
    });
  });

  it('include derived values, and nothing else', () => {
    const present = (settings: object) => presentSettings(settings, {}, groups, everybody);
    expect(present({ topics_policy: 'disable_empty_topic' })).toEqual({
      topics_policy: 'disable_empty_topic',
      mandatory_topics: true,
    });
    expect(present({ message_edit_history_visibility_policy: 'none' })).toEqual({
      message_edit_history_visibility_policy: 'none',
      allow_edit_history: false,
    });
    expect(presentSettings({}, { description: 'a *b*' }, groups, everybody)).toEqual({
      description: 'a *b*',
      rendered_description: '<p>a <em>b</em></p>',
    });
  });

  it('leave deactivated users out', () => {
    const value = { directMembers: [3, 4] as UserId[], directSubgroups: [5 as GroupId] };
    const shown = presentSettings({ can_create_bots_group: value }, {}, groups, (user) => user !== 3);
    expect(shown).toEqual({ can_create_bots_group: { direct_members: [4], direct_subgroups: [5] } });
  });

  it.each<[SystemGroup, number, number]>([
    ['nobody', 2, 6],
    ['owners', 2, 5],
    ['administrators', 2, 5],
    ['moderators', 4, 7],
    ['fullmembers', 3, 3],
    ['members', 1, 2],
  ])('have a policy for old clients that is at least as wide as %s', (name, publicPolicy, wildcardPolicy) => {
    const settings = { can_create_public_channel_group: groups[name], can_mention_many_users_group: groups[name] };
    expect(presentSettings(settings, {}, groups, everybody)).toMatchObject({
      create_public_stream_policy: publicPolicy,
      wildcard_mention_policy: wildcardPolicy,
    });
  });

  it('have the widest policy for old clients if users are selected individually', () => {
    const picked = { directMembers: [3 as UserId], directSubgroups: [] };
    const settings = { can_create_private_channel_group: picked, can_mention_many_users_group: picked };
    expect(presentSettings(settings, {}, groups, everybody)).toMatchObject({
      create_private_stream_policy: 1,
      wildcard_mention_policy: 1,
    });
  });
});
