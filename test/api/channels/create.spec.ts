import { startWithUsers } from '../../support/server/start-with-users';
import type { Channel } from '../../support/requests/channels';
import { channelListed, createChannel } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, member, guest, groups } = await startWithUsers()));
afterAll(() => server.close());

let kinds = 0;
const created = async (by: Person, input: Record<string, unknown>) =>
  channelListed(by, (await createChannel(by, input)).body.id);

describe('POST /channels/create', () => {
  it('answers only the id of the new channel', async () => {
    const { status, body } = await createChannel(member, { name: 'first' });
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'success', msg: '', id: expect.any(Number) as number },
    });
  });

  it('creates a channel with the defaults', async () => {
    const channel = await created(member, { name: '  usual  ', description: 'one\ntwo' });
    expect(channel).toEqual({
      stream_id: channel?.stream_id,
      name: 'usual',
      is_archived: false,
      description: 'one two',
      rendered_description: '<p>one two</p>',
      date_created: Date.UTC(2026, 0, 1) / 1000,
      creator_id: member.id,
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      message_retention_days: null,
      first_message_id: null,
      folder_id: null,
      is_recently_active: true,
      stream_weekly_traffic: null,
      subscriber_count: 0,
      topics_policy: 'inherit',
      stream_post_policy: 1,
      is_announcement_only: false,
      can_add_subscribers_group: groups['nobody'],
      can_administer_channel_group: { direct_members: [member.id], direct_subgroups: [] },
      can_create_topic_group: groups['everyone'],
      can_delete_any_message_group: groups['nobody'],
      can_delete_own_message_group: groups['nobody'],
      can_move_messages_out_of_channel_group: groups['nobody'],
      can_move_messages_within_channel_group: groups['nobody'],
      can_remove_subscribers_group: groups['administrators'],
      can_resolve_topics_group: groups['nobody'],
      can_send_message_group: groups['everyone'],
      can_subscribe_group: groups['nobody'],
    });
  });

  it('honours all parameters, quoted or not', async () => {
    const input = {
      name: 'as requested',
      invite_only: true,
      history_public_to_subscribers: true,
      topics_policy: '"empty_topic_only"',
      message_retention_days: 'unlimited',
      can_send_message_group: groups['administrators'],
      can_subscribe_group: { direct_members: [guest.id, member.id], direct_subgroups: [] },
      can_delete_any_message_group: { direct_members: [], direct_subgroups: [groups['moderators']] },
      can_resolve_topics_group: { direct_members: [], direct_subgroups: [] },
      can_create_topic_group: null,
    };
    expect(await created(owner, input)).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: true,
      topics_policy: 'empty_topic_only',
      message_retention_days: -1,
      can_send_message_group: groups['administrators'],
      stream_post_policy: 2,
      is_announcement_only: true,
      can_subscribe_group: { direct_members: [member.id, guest.id].sort((a, b) => a - b), direct_subgroups: [] },
      can_delete_any_message_group: groups['moderators'],
      can_resolve_topics_group: groups['nobody'],
      can_create_topic_group: groups['everyone'],
    });
  });

  it.each([
    [{}, true],
    [{ history_public_to_subscribers: false }, true],
    [{ invite_only: true }, false],
    [{ invite_only: true, history_public_to_subscribers: true }, true],
  ])('shares the history of %j: %s', async (privacy, isShared) => {
    const channel = await created(owner, { name: `kind ${++kinds}`, ...privacy });
    expect(channel?.['history_public_to_subscribers']).toBe(isShared);
  });

  it.each([
    ['realm_default', null],
    ['"unlimited"', -1],
    ['unlimited', -1],
  ])('reads a retention of %s as %s', async (message_retention_days, days) => {
    const channel = await created(owner, { name: `kept ${message_retention_days}`, message_retention_days });
    expect(channel?.['message_retention_days']).toBe(days);
  });

  it('subscribes exactly the listed users', async () => {
    const { id } = (await createChannel(member, { name: 'ours', subscribers: [guest.id, owner.id, guest.id] })).body;
    const lists = async (by: Person) => {
      const params = { include_subscribers: true };
      const { body } = await by.get<{ subscriptions: Channel[] }>('/users/me/subscriptions', params);
      return body.subscriptions.find(({ stream_id }) => stream_id === id)?.['subscribers'];
    };
    expect(await lists(owner)).toEqual([owner.id, guest.id].sort((a, b) => a - b));
    expect(await lists(guest)).toEqual(await lists(owner));
    expect(await lists(member)).toBeUndefined();
    expect(await channelListed(member, id)).toMatchObject({ subscriber_count: 2 });
  });
});
