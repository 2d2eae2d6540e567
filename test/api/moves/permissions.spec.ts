import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let may: Person;
let mayNot: Person;
let administrator: Person;
let team: number;
let nobody: number;
let everyone: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  may = await server.person();
  mayNot = await server.person();
  administrator = await server.person({ role: 'administrator' });
  const created = await owner.post<{ group_id: number }>('/user_groups/create', {
    name: 'movers',
    description: '',
    members: [may.id],
  });
  team = granted(created).group_id;
  const { user_groups } = granted(await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups'));
  const system = (name: string) => user_groups.find((group) => group.name === name)?.id ?? 0;
  nobody = system('role:nobody');
  everyone = system('role:everyone');
});
afterAll(() => server.close());

const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const organization = async (settings: Params) => {
  granted(await owner.patch('/realm', settings));
};
const channel = (settings: Params = {}) =>
  server.channel(owner, { subscribers: [owner, may, mayNot, administrator], ...settings });
const post = async (by: Person, to: number, topic: string) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content: 'hello' })).id;
const edit = (by: Person, id: number, params: Params) => by.patch(`/messages/${id}`, params);
const status = async (by: Person, id: number, params: Params) => {
  const answer = await edit(by, id, params);
  if (answer.status !== 200) expect(answer).toMatchObject(refused);
  return answer.status === 200;
};

const ORGANIZATION = [
  'can_move_messages_between_topics_group',
  'can_move_messages_between_channels_group',
  'can_resolve_topics_group',
] as const;
/** Nobody has a permission, except those that are given. */
const only = (given: Params = {}) =>
  organization(Object.fromEntries(ORGANIZATION.map((name) => [name, { new: given[name] ?? nobody }])));

/** The place of a setting: the organization, the channel that messages leave, or the one they are moved to. */
type Of = 'organization' | 'origin' | 'target';
const RENAME = { topic: 'new' };
const MOVE = { stream_id: 'target' };
const BOTH = { ...RENAME, ...MOVE };
const RESOLVE = { topic: '✔ old', propagate_mode: 'change_all' };

describe('each permission to move is required', () => {
  it.each<[string, Of, Params, boolean]>([
    ['can_move_messages_between_topics_group', 'organization', RENAME, true],
    ['can_move_messages_between_topics_group', 'organization', RESOLVE, false],
    ['can_move_messages_between_topics_group', 'organization', MOVE, false],
    ['can_move_messages_within_channel_group', 'origin', RENAME, true],
    ['can_move_messages_within_channel_group', 'origin', MOVE, false],
    ['can_move_messages_within_channel_group', 'origin', BOTH, false],
    ['can_move_messages_out_of_channel_group', 'origin', MOVE, true],
    ['can_move_messages_out_of_channel_group', 'target', MOVE, false],
    ['can_move_messages_out_of_channel_group', 'origin', RENAME, false],
    ['can_move_messages_between_channels_group', 'organization', MOVE, true],
    ['can_move_messages_between_channels_group', 'organization', RENAME, false],
    ['can_resolve_topics_group', 'organization', RESOLVE, true],
    ['can_resolve_topics_group', 'organization', RENAME, false],
    ['can_resolve_topics_group', 'origin', RESOLVE, true],
    ['can_administer_channel_group', 'origin', RENAME, true],
    ['can_administer_channel_group', 'origin', MOVE, true],
    ['can_administer_channel_group', 'target', MOVE, false],
  ])('%s of the %s for %j', async (setting, of, request, suffices) => {
    await only(of === 'organization' ? { [setting]: team } : {});
    const origin = await channel({ can_administer_channel_group: nobody, ...(of === 'origin' && { [setting]: team }) });
    const target = await channel({ can_administer_channel_group: nobody, ...(of === 'target' && { [setting]: team }) });
    const id = await post(owner, origin, 'old');
    const params = { ...request, ...('stream_id' in request && { stream_id: target }) };
    expect(await status(mayNot, id, params)).toBe(false);
    expect(await status(may, id, params)).toBe(suffices);
  });

  it('of the target also applies to the topic, if the channel may change', async () => {
    await only({ can_move_messages_between_channels_group: team });
    const [origin, target] = [await channel(), await channel({ can_move_messages_within_channel_group: team })];
    const [resolving, plain] = [await channel({ can_resolve_topics_group: team }), await channel()];
    expect(await status(may, await post(owner, origin, 'old'), { topic: 'new', stream_id: target })).toBe(true);
    expect(await status(may, await post(owner, origin, 'old'), { topic: 'new', stream_id: plain })).toBe(false);
    expect(await status(may, await post(owner, origin, 'old'), { topic: '✔ old', stream_id: resolving })).toBe(true);
    expect(await status(may, await post(owner, origin, 'old'), { topic: '✔ old', stream_id: plain })).toBe(false);
  });

  it('is not required for administrators, except for resolving', async () => {
    await only();
    const [origin, target] = [await channel(), await channel()];
    const id = await post(owner, origin, 'old');
    expect(await status(administrator, id, { topic: '✔ old' })).toBe(false);
    expect(await status(administrator, id, { topic: 'new', stream_id: target })).toBe(true);
  });

  it('includes guests only where the setting may be everyone', async () => {
    const guest = await server.person({ role: 'guest' });
    const [origin, target] = await Promise.all(
      [1, 2].map(() => server.channel(owner, { subscribers: [owner, guest] })),
    );
    const id = await post(owner, origin ?? 0, 'old');
    const listed = { direct_members: [guest.id], direct_subgroups: [] };
    await only({ can_move_messages_between_channels_group: listed, can_move_messages_between_topics_group: everyone });
    expect(await status(guest, id, { stream_id: target })).toBe(false);
    expect(await status(guest, id, { topic: 'new' })).toBe(true);
  });
});

describe('the target', () => {
  beforeAll(async () => {
    const groups = Object.fromEntries(ORGANIZATION.map((name) => [name, { new: team }]));
    await organization(groups);
  });

  it('requires the permission to post', async () => {
    const [closed, origin] = [await channel({ can_send_message_group: nobody }), await channel()];
    expect(await status(may, await post(owner, origin, 'old'), { stream_id: closed })).toBe(false);
    const own = await channel({ can_send_message_group: team });
    expect(await status(may, await post(owner, origin, 'old'), { stream_id: own })).toBe(true);
  });

  it('must be readable, and an unreadable one is like an unknown one', async () => {
    const hidden = await server.channel(owner, { invite_only: true });
    const id = await post(owner, await channel(), 'old');
    const answers = [await edit(may, id, { stream_id: hidden }), await edit(may, id, { stream_id: 999_999 })];
    expect(answers[0]).toMatchObject(refused);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    for (const stream_id of [0, -1]) expect(await status(may, id, { stream_id })).toBe(false);
  });

  it('may not be archived, and neither may the origin', async () => {
    const [origin, archived] = [await channel(), await channel()];
    const [id, inArchived] = [await post(owner, origin, 'old'), await post(owner, archived, 'old')];
    granted(await owner.delete(`/streams/${archived}`));
    expect(await status(may, id, { stream_id: archived })).toBe(false);
    const answer = await edit(may, inArchived, { topic: 'new' });
    expect(answer).toMatchObject(refused);
    expect(answer.body).toEqual((await edit(may, 999_999, { topic: 'new' })).body);
  });

  it.each([
    ['disable_empty_topic', '', false],
    ['disable_empty_topic', 'general chat', false],
    ['disable_empty_topic', '(no topic)', false],
    ['disable_empty_topic', 'other', true],
    ['empty_topic_only', 'other', false],
    ['empty_topic_only', '', true],
    ['allow_empty_topic', '', true],
  ])('under %s accepts the topic %j: %s', async (topics_policy, topic, fits) => {
    const [origin, target] = [await channel(), await channel({ topics_policy })];
    const id = await post(owner, origin, 'old');
    expect(await status(may, id, { stream_id: target, topic })).toBe(fits);
  });

  it('applies its policy also when only the channel changes', async () => {
    const [origin, target] = [await channel(), await channel({ topics_policy: 'empty_topic_only' })];
    const id = await post(owner, origin, 'old');
    expect(await status(may, id, { stream_id: target })).toBe(false);
    const plain = await channel();
    expect(await status(may, id, { stream_id: plain })).toBe(true);
    expect(await owner.patch(`/streams/${plain}`, { topics_policy: 'empty_topic_only' })).toMatchObject(refused);
    granted(await owner.patch(`/streams/${origin}`, { topics_policy: 'empty_topic_only' }));
  });

  it('requires the permission to create topics, but not for resolving', async () => {
    const [origin, target] = [await channel(), await channel()];
    const first = await post(owner, origin, 'old');
    await post(owner, target, 'known');
    for (const id of [origin, target]) {
      const request = { can_create_topic_group: { new: nobody }, can_resolve_topics_group: { new: team } };
      granted(await owner.patch(`/streams/${id}`, request));
    }
    expect(await status(may, first, { topic: 'new' })).toBe(false);
    expect(await status(may, first, { stream_id: target })).toBe(false);
    expect(await status(may, first, { topic: '✔ old', propagate_mode: 'change_all' })).toBe(true);
    expect(await status(may, first, { stream_id: target, topic: 'KNOWN' })).toBe(true);
  });
});
