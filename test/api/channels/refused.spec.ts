import { startWithUsers } from '../../support/server/start-with-users';
import { channelsListed, createChannel } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, administrator, member, guest, groups } = await startWithUsers()));
afterAll(() => server.close());

const refused = (code: string, status = 400) => ({ status, body: { result: 'error', code } });

describe('a channel is refused', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['without a name', { name: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['without subscribers', { name: 'no list', subscribers: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['with a blank name', { name: '  ' }, 'BAD_REQUEST'],
    ['with a long name', { name: 'x'.repeat(61) }, 'BAD_REQUEST'],
    ['with an unprintable name', { name: 'a\u0007b' }, 'BAD_REQUEST'],
    ['with a long description', { name: 'long', description: 'x'.repeat(1025) }, 'BAD_REQUEST'],
    ['with an unknown topics policy', { name: 'policy', topics_policy: 'whatever' }, 'BAD_REQUEST'],
    ['with a number as a boolean', { name: 'boolean', invite_only: 1 }, 'BAD_REQUEST'],
    ['with a group of the wrong shape', { name: 'shape', can_send_message_group: [1] }, 'BAD_REQUEST'],
    ['with an unknown group', { name: 'group', can_send_message_group: 9999 }, 'BAD_REQUEST'],
    ['with a folder, as there are none', { name: 'folder', folder_id: 1 }, 'BAD_REQUEST'],
    ['when web-public', { name: 'web', is_web_public: true }, 'BAD_REQUEST'],
    ['when web-public and private', { name: 'web', is_web_public: true, invite_only: true }, 'BAD_REQUEST'],
    ['when default and private', { name: 'default', is_default_stream: true, invite_only: true }, 'BAD_REQUEST'],
    ['with unknown subscribers', { name: 'who', subscribers: [999_999] }, 'BAD_REQUEST'],
    ['with subscribers beyond any id', { name: 'who', subscribers: [2 ** 40] }, 'BAD_REQUEST'],
    ['with subscribers of the wrong kind', { name: 'who', subscribers: ['a@b.c'] }, 'BAD_REQUEST'],
  ])('%s', async (_, input, code) => {
    const before = await channelsListed(owner);
    expect(await createChannel(owner, { name: 'refused', ...input })).toMatchObject(refused(code));
    expect(await channelsListed(owner)).toEqual(before);
  });

  it.each(['0', '-5', '"forever"', '1.5', '99999999999'])('with a retention of %s', async (message_retention_days) => {
    expect(await createChannel(owner, { name: 'retention', message_retention_days })).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_INVALID', var_name: 'message_retention_days' },
    });
  });

  it('with a retention of its own, unless by an owner', async () => {
    for (const message_retention_days of [30, 'unlimited']) {
      const input = { name: 'kept by others', message_retention_days };
      expect(await createChannel(administrator, input)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
  });

  it('with a number of days after which messages are deleted, because nothing deletes them', async () => {
    const { status, body } = await createChannel(owner, { name: 'for 30 days', message_retention_days: 30 });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: expect.stringContaining('message_retention_days') as string },
    });
  });

  it('if created by guests, or as a default channel by members', async () => {
    expect(await createChannel(guest, { name: 'by a guest' })).toMatchObject(refused('BAD_REQUEST'));
    expect(await createChannel(member, { name: 'default', is_default_stream: true })).toMatchObject(
      refused('BAD_REQUEST'),
    );
  });

  it('with a deactivated subscriber', async () => {
    const deactivated = await server.person();
    await owner.delete(`/users/${deactivated.id}`);
    expect(await createChannel(owner, { name: 'gone', subscribers: [deactivated.id] })).toMatchObject(
      refused('BAD_REQUEST'),
    );
    const setting = { direct_members: [deactivated.id], direct_subgroups: [] };
    expect(await createChannel(owner, { name: 'gone', can_subscribe_group: setting })).toMatchObject(
      refused('BAD_REQUEST'),
    );
  });

  it('if created by users without the permission, for each kind', async () => {
    const only = (setting: string, group: string) => owner.patch('/realm', { [setting]: { new: groups[group] } });
    await only('can_create_public_channel_group', 'administrators');
    expect(await createChannel(member, { name: 'public' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await createChannel(member, { name: 'still private', invite_only: true })).status).toBe(200);
    await only('can_create_public_channel_group', 'members');
    await only('can_create_private_channel_group', 'administrators');
    expect(await createChannel(member, { name: 'private', invite_only: true })).toMatchObject(refused('BAD_REQUEST'));
    expect((await createChannel(member, { name: 'still public' })).status).toBe(200);
    await only('can_create_private_channel_group', 'members');
    await only('can_set_topics_policy_group', 'moderators');
    const policy = { name: 'policy', topics_policy: 'allow_empty_topic' };
    expect(await createChannel(member, policy)).toMatchObject(refused('BAD_REQUEST'));
    await only('can_set_topics_policy_group', 'members');
  });

  it.each([
    'can_add_subscribers_group',
    'can_administer_channel_group',
    'can_remove_subscribers_group',
    'can_subscribe_group',
  ])('with everyone as %s', async (setting) => {
    expect(await createChannel(owner, { name: 'guests', [setting]: groups['everyone'] })).toMatchObject(
      refused('BAD_REQUEST'),
    );
  });

  it('with the internet as any setting', async () => {
    const input = { name: 'internet', can_send_message_group: groups['internet'] };
    expect(await createChannel(owner, input)).toMatchObject(refused('BAD_REQUEST'));
  });

  it('with delete permissions that the actor may not set', async () => {
    for (const setting of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      const input = { name: `deleting ${setting}`, [setting]: groups['members'] };
      expect(await createChannel(member, input)).toMatchObject(refused('BAD_REQUEST'));
      expect((await createChannel(member, { ...input, [setting]: groups['nobody'] })).status).toBe(200);
    }
  });

  it('with protected history unless everyone may create topics', async () => {
    const input = { name: 'protected', invite_only: true, can_create_topic_group: groups['members'] };
    expect(await createChannel(owner, input)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', parameters: 'history_public_to_subscribers, can_create_topic_group' },
    });
    expect((await createChannel(owner, { ...input, history_public_to_subscribers: true })).status).toBe(200);
  });

  it('under a name in use in any letter case, even of a channel that the actor cannot see', async () => {
    expect((await createChannel(owner, { name: 'Éclair', invite_only: true })).status).toBe(200);
    for (const name of ['Éclair', 'éCLAIR']) {
      expect(await createChannel(member, { name })).toMatchObject({
        status: 409,
        body: { result: 'error', code: 'CHANNEL_ALREADY_EXISTS', channel_name: name },
      });
    }
  });

  it('to all but one of concurrent requests for a name', async () => {
    const claims = ['Race', 'race', 'RACE', 'rAcE', 'racE'].map((name) => createChannel(member, { name }));
    const statuses = (await Promise.all(claims)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await channelsListed(member)).filter(({ name }) => name.toLowerCase() === 'race')).toHaveLength(1);
  });

  it('and unknown parameters are reported as ignored', async () => {
    const { status, body } = await createChannel(member, { name: 'announced', announce: true, shout: true });
    expect({ status, body }).toMatchObject({ status: 200, body: { ignored_parameters_unsupported: ['shout'] } });
  });
});
