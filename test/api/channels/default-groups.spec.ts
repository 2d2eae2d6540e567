import { newest, undone } from '../../support/requests/undo';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly streams: readonly number[];
}

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
beforeAll(async () => {
  ({ server, owner, administrator, member } = await startWithUsers());
});
afterAll(() => server.close());

const refused = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code, msg } });
const listed = async (by: Person): Promise<readonly Group[]> =>
  (await by.register({ fetch_event_types: ['default_stream_groups'] }))['realm_default_stream_groups'] as never;
const create = (by: Person, params: Params = {}) =>
  by.post('/default_stream_groups/create', {
    group_name: `group ${server.next()}`,
    description: '',
    stream_names: [],
    ...params,
  });
const at = ({ id }: Pick<Group, 'id'>, rest = '') => `/default_stream_groups/${id}${rest}`;
const made = async (params: Params = {}): Promise<Group> => {
  const group_name = `group ${server.next()}`;
  granted(await create(administrator, { group_name, ...params }));
  const found = (await listed(administrator)).find(({ name }) => name === (params['group_name'] ?? group_name));
  if (!found) throw new Error('the group is not there');
  return found;
};
const now = async (group: Group) => (await listed(administrator)).find(({ id }) => id === group.id);
const GROUPS = 'default_stream_groups';

describe('a group of default channels', () => {
  it('is in the register of all but guests, by name, and in their events', async () => {
    const guest = await server.person({ role: 'guest' });
    const [one, two] = [await server.namedChannel(owner), await server.namedChannel(owner)];
    const queue = await guest.register({ event_types: [GROUPS] });
    const [event] = await member.receive(async () => {
      const { body } = await create(administrator, {
        group_name: '0 design',
        description: 'For *all*',
        stream_names: [two.name, one.name.toUpperCase()],
      });
      expect(body).toEqual({ result: 'success', msg: '' });
    }, GROUPS);
    const group = {
      id: expect.any(Number) as number,
      name: '0 design',
      description: 'For *all*',
      streams: [one.id, two.id],
    };
    const groups = await listed(member);
    expect(groups[0]).toEqual(group);
    expect(event).toEqual({ id: expect.any(Number) as number, type: GROUPS, default_stream_groups: groups });
    expect(await listed(guest)).toEqual([]);
    expect(await guest.events(queue)).toEqual([]);
  });

  it('is changed, extended, reduced and deleted', async () => {
    const { id, name } = await server.namedChannel(owner);
    const group = await made();
    const events = await member.receive(async () => {
      granted(await administrator.patch(at(group), { new_group_name: '9 drawing', new_description: 'New' }));
      granted(await administrator.patch(at(group, '/streams'), { op: 'add', stream_names: [name] }));
    }, GROUPS);
    expect(events).toHaveLength(3);
    const changed = { id: group.id, name: '9 drawing', description: 'New', streams: [id] };
    expect(await now(group)).toEqual(changed);
    granted(await administrator.patch(at(group), { new_description: '' }));
    granted(await administrator.patch(at(group, '/streams'), { op: 'remove', stream_names: [name] }));
    expect(await now(group)).toEqual({ ...changed, description: '', streams: [] });
    granted(await administrator.delete(at(group)));
    expect(await now(group)).toBeUndefined();
    const gone = refused(`Default channel group with id '${group.id}' does not exist.`);
    expect(await administrator.delete(at(group))).toMatchObject(gone);
    expect(await administrator.patch(at(group), { new_group_name: 'x' })).toMatchObject(gone);
    const add = { op: 'add', stream_names: [] };
    expect(await administrator.patch(at(group, '/streams'), add)).toMatchObject(gone);
  });

  it('is for administrators', async () => {
    const group = await made();
    const acts = [
      create(member),
      member.patch(at(group), { new_group_name: 'x' }),
      member.patch(at(group, '/streams'), { op: 'add', stream_names: [] }),
      member.delete(at(group)),
    ];
    for (const act of acts) {
      expect(await act).toMatchObject(refused('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'));
    }
    expect(await now(group)).toEqual(group);
  });

  it('refuses malformed requests, and names that are taken or unknown', async () => {
    const group = await made({ group_name: 'taken' });
    const channel = await server.namedChannel(owner, { is_default_stream: true });
    const taken = refused("Default channel group 'taken' already exists");
    expect(await create(administrator, { group_name: 'taken', description: 'another' })).toMatchObject(taken);
    expect(await create(administrator, { group_name: '' })).toMatchObject(
      refused("Invalid default channel group name ''"),
    );
    const unknown = refused("Invalid channel name 'nowhere'");
    expect(await create(administrator, { stream_names: ['nowhere'] })).toMatchObject(unknown);
    const isDefault = refused(`'${channel.name}' is a default channel and cannot be added to 'taken'`);
    const add = { op: 'add', stream_names: [channel.name] };
    expect(await administrator.patch(at(group, '/streams'), add)).toMatchObject(isDefault);
    expect(await administrator.patch(at(group))).toMatchObject(
      refused('You must pass "new_description" or "new_group_name".'),
    );
    for (const wrong of [{ op: 'move' }, { op: undefined }, { stream_names: 'x' }, { stream_names: undefined }]) {
      expect(await administrator.patch(at(group, '/streams'), { ...add, ...wrong })).toMatchObject({ status: 400 });
    }
    expect(await create(administrator, { description: 'x'.repeat(1025) })).toMatchObject({ status: 400 });
    expect(await now(group)).toEqual(group);
  });

  it('loses a channel that is archived, and has it again when this is undone', async () => {
    const { id, name } = await server.namedChannel(owner);
    const group = await made({ stream_names: [name] });
    const [event] = await member.receive(async () => granted(await owner.delete(`/streams/${id}`)), GROUPS);
    const groups = event?.['default_stream_groups'] as readonly Group[];
    expect(groups.find((one) => one.id === group.id)?.streams).toEqual([]);
    const add = { op: 'add', stream_names: [name] };
    expect(await administrator.patch(at(group, '/streams'), add)).toMatchObject(
      refused(`Invalid channel name '${name}'`),
    );
    await undone(owner, await newest(owner, 'channels.Archived'));
    expect((await now(group))?.streams).toEqual([id]);
  });

  it('appears and disappears with the role', async () => {
    await made();
    const other = await server.person();
    const become = (role: number) => other.receive(() => owner.patch(`/users/${other.id}`, { role }), GROUPS);
    expect(await become(600)).toMatchObject([{ type: GROUPS, default_stream_groups: [] }]);
    expect(await become(400)).toMatchObject([{ type: GROUPS, default_stream_groups: await listed(member) }]);
  });
});
