import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { WEB_PUBLIC, changeChannel, channelEvents } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let groups: Readonly<Record<string, number>>;
let keeper: Person;
beforeAll(async () => {
  ({ server, owner, administrator, member, groups, other: keeper } = await startWithUsers(WEB_PUBLIC));
});
afterAll(() => server.close());

const refused = (code = 'BAD_REQUEST', status = 400) => ({ status, body: { result: 'error', code } });
const kept = (params: Params = {}) => server.channel(keeper, params);

describe('default channels', () => {
  it('are set by administrators of the organization, and never private', async () => {
    const id = await kept();
    expect(await changeChannel(keeper, id, { is_default_stream: true })).toMatchObject(refused());
    expect(
      await channelEvents(member, () => changeChannel(administrator, id, { is_default_stream: true })),
    ).toMatchObject([{ type: 'default_streams' }]);
    expect(await changeChannel(keeper, id, { is_private: true })).toMatchObject(refused());
    const both = { is_private: true, is_default_stream: false };
    expect(await changeChannel(administrator, id, both)).toMatchObject({ status: 200 });
    expect(await changeChannel(administrator, id, { is_default_stream: true })).toMatchObject(refused());
  });

  it('are added and removed by their own endpoints', async () => {
    const id = await kept();
    const hidden = await kept({ invite_only: true });
    const set = (by: Person, method: 'post' | 'delete', stream_id: number) =>
      by[method]('/default_streams', { stream_id });
    expect(await set(member, 'post', id)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await set(administrator, 'post', hidden)).toMatchObject(refused());
    expect(await set(administrator, 'post', 999_999)).toMatchObject(refused());
    const added = await channelEvents(member, () => set(administrator, 'post', id));
    expect(added).toEqual([{ type: 'default_streams', default_streams: expect.arrayContaining([id]) as number[] }]);
    expect(await set(administrator, 'post', id)).toMatchObject({ status: 200 });
    expect(await set(member, 'delete', id)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    const [removed] = await channelEvents(member, () => set(administrator, 'delete', id));
    expect(removed?.['default_streams']).not.toContain(id);
  });
});

describe('retention, topics and folders', () => {
  it('let only owners set the retention of messages', async () => {
    const id = await kept();
    const days = (by: Person, message_retention_days: unknown) => changeChannel(by, id, { message_retention_days });
    expect(await days(administrator, 30)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await days(owner, 0)).toMatchObject(refused('REQUEST_VARIABLE_INVALID'));
    expect(await days(owner, 30)).toMatchObject(refused());
    expect(await channelEvents(member, () => days(owner, 'unlimited'))).toMatchObject([
      { property: 'message_retention_days', value: -1 },
    ]);
    expect(await channelEvents(member, () => days(owner, '"realm_default"'))).toMatchObject([{ value: null }]);
  });

  it('check the permission for the topics policy, and whether named topics exist', async () => {
    const id = await kept();
    const set = (by: Person, topics_policy: string) => changeChannel(by, id, { topics_policy });
    expect(await set(keeper, 'sometimes')).toMatchObject(refused());
    granted(await owner.patch('/realm', { can_set_topics_policy_group: { new: groups['moderators'] } }));
    expect(await set(keeper, 'allow_empty_topic')).toMatchObject(refused());
    granted(await owner.patch('/realm', { can_set_topics_policy_group: { new: groups['members'] } }));
    granted(await keeper.post('/messages', { type: 'channel', to: id, topic: '', content: 'nameless' }));
    expect(await channelEvents(member, () => set(keeper, 'empty_topic_only'))).toMatchObject([
      { property: 'topics_policy', value: 'empty_topic_only' },
    ]);
    expect(await set(keeper, 'inherit')).toMatchObject({ status: 200 });
    granted(await keeper.post('/messages', { type: 'channel', to: id, topic: 'named', content: 'named' }));
    expect(await set(keeper, 'empty_topic_only')).toMatchObject(refused());
  });

  it('never allow both a named topic and a policy against it, in either order', async () => {
    for (let n = 0; n < 5; n++) {
      const id = await kept();
      const named = { type: 'channel', to: id, topic: 'named', content: 'me first' };
      const answers = await Promise.all([
        keeper.post('/messages', named),
        changeChannel(keeper, id, { topics_policy: 'empty_topic_only' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('put channels into folders that are not archived', async () => {
    const words = { name: 'Open', description: '' };
    const folder = await owner.post<{ channel_folder_id: number }>('/channel_folders/create', words);
    const { channel_folder_id } = granted(folder);
    const id = await kept();
    expect(await changeChannel(keeper, id, { folder_id: 999 })).toMatchObject(refused());
    const chosen = await channelEvents(member, () => changeChannel(keeper, id, { folder_id: channel_folder_id }));
    expect(chosen).toMatchObject([{ property: 'folder_id', value: channel_folder_id }]);
    expect(await owner.patch(`/channel_folders/${channel_folder_id}`, { is_archived: true })).toMatchObject(refused());
    expect(await channelEvents(member, () => changeChannel(keeper, id, { folder_id: null }))).toMatchObject([
      { value: null },
    ]);
    expect(await owner.patch(`/channel_folders/${channel_folder_id}`, { is_archived: true })).toMatchObject({
      status: 200,
    });
    expect(await changeChannel(keeper, id, { folder_id: channel_folder_id })).toMatchObject(refused());
  });
});
