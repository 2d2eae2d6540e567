import type { RealmId } from '@annals/kernel/domain';
import { foldRealm } from '@annals/realm';
import { granted } from '../../../../../test/support/server/caller';
import type { Person } from '../../../../../test/support/server/organization';
import type { ServerWithUsers } from '../../../../../test/support/server/start-with-users';
import { startWithUsers } from '../../../../../test/support/server/start-with-users';
import { proposedRule } from './proposed-rule';
import { rehearse } from './rehearse';

const REALM = 1 as RealmId;
const MINUTE = 60_000;

describe('a rehearsal', () => {
  let users: ServerWithUsers;
  let head: number;
  beforeAll(async () => {
    users = await startWithUsers();
    const { owner, administrator, member, other, server } = users;
    const send = async (by: Person, topic: string) =>
      granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: 'general', topic, content: 'x' })).id;
    const create = async (by: Person, name: string, invite_only = false) =>
      granted(await by.post('/channels/create', { name, subscribers: [by.id], invite_only }));
    await create(administrator, 'of an administrator');
    await create(member, 'of a member');
    await create(member, 'private', true);
    // Otto is a moderator for some of his acts only.
    granted(await owner.patch(`/users/${other.id}`, { role: 300 }));
    await create(other, 'of a moderator');
    granted(await owner.patch(`/users/${other.id}`, { role: 400 }));
    await create(other, 'of a former moderator');
    const early = await send(member, 'a topic');
    const late = await send(member, 'a topic');
    const deleted = await send(member, 'another topic');
    granted(await member.patch(`/messages/${early}`, { content: 'soon' }));
    server.clock.advance(5 * MINUTE);
    granted(await member.patch(`/messages/${late}`, { content: 'later' }));
    granted(await member.patch(`/messages/${early}`, { topic: 'renamed' }));
    granted(await administrator.patch(`/messages/${late}`, { topic: '✔ a topic', propagate_mode: 'change_all' }));
    granted(await member.delete(`/messages/${deleted}`));
    granted(await member.post('/user_groups/create', { name: 'g', description: '', members: [member.id] }));
    granted(await member.post('/messages', { type: 'direct', to: [other.id], content: 'hello' }));
    granted(await member.patch('/settings', { full_name: 'Mia the second' }));
    head = Math.max(...(await server.kernel.events.heads()).values());
  });
  afterAll(() => users.server.close());

  const realm = async () => {
    const state = foldRealm(await users.server.kernel.events.stream(REALM, 'realm'));
    if (!state) throw new Error('there is no organization');
    return state;
  };
  const rehearsed = async (rule: string) => {
    const { kernel } = users.server;
    const part = { realmId: REALM, after: 0, upTo: head };
    const { decisions, refused, users: by, samples } = await rehearse(kernel, part, proposedRule(rule, await realm()));
    expect(samples).toHaveLength(refused);
    return { decisions, refused: Object.fromEntries(by) };
  };

  it('counts decisions that a proposed setting refuses, by the roles at that time', async () => {
    const { member, other } = users;
    expect(await rehearsed('can_create_public_channel_group=role:moderators')).toEqual({
      decisions: 5,
      refused: { [member.id]: 1, [other.id]: 1 },
    });
    expect(await rehearsed('can_create_private_channel_group=role:nobody')).toMatchObject({
      refused: { [member.id]: 1 },
    });
    expect(await rehearsed('can_create_public_channel_group=role:members')).toMatchObject({ refused: {} });
  });

  it('takes users and groups by name', async () => {
    const named = JSON.stringify({ direct_members: [users.other.id], direct_subgroups: [] });
    expect(await rehearsed(`can_create_groups=${named}`)).toEqual({ decisions: 1, refused: { [users.member.id]: 1 } });
  });

  it.each([
    ['message_content_edit_limit_seconds=60', 2, 1],
    ['message_content_edit_limit_seconds=600', 2, 0],
    ['allow_message_editing=false', 2, 2],
    ['message_content_delete_limit_seconds=60', 1, 1],
    ['message_content_delete_limit_seconds=unlimited', 1, 0],
    ['can_delete_own_message_group=role:moderators', 1, 1],
    ['move_messages_within_stream_limit_seconds=60', 2, 1],
    ['can_move_messages_between_topics_group=role:administrators', 2, 1],
    ['can_resolve_topics_group=role:administrators', 2, 0],
    ['can_resolve_topics_group=role:nobody', 2, 1],
    ['direct_message_initiator_group=role:moderators', 1, 1],
    ['name_changes_disabled=true', 1, 1],
  ])('of %s looks at %i decisions and refuses %i', async (rule, decisions, refused) => {
    const outcome = await rehearsed(rule);
    const count = Object.values(outcome.refused).reduce((sum, one) => sum + one, 0);
    expect([outcome.decisions, count]).toEqual([decisions, refused]);
  });

  it('writes nothing', async () => {
    await rehearsed('can_create_groups=role:administrators');
    expect(Math.max(...(await users.server.kernel.events.heads()).values())).toBe(head);
  });

  it.each([
    'can_create_groups',
    'name=New',
    'no_such_setting=1',
    'can_create_groups=role:somebody',
    'can_create_groups=role:everyone',
    'allow_message_editing=perhaps',
    'message_content_edit_limit_seconds=0',
    'message_content_edit_limit_seconds=-5',
  ])('of %s is refused', async (rule) => {
    const state = await realm();
    expect(() => proposedRule(rule, state)).toThrow();
  });
});
