import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let administrator: Person;
let member: Person;
let guest: Person;
beforeAll(async () => ({ server, administrator, member, guest } = await startWithUsers()));
afterAll(() => server.close());

const PAGE = { name: 'Try it', pygments_language: 'Python', url_template: 'https://try.example/{?code}' };
const ok = { status: 200, body: { result: 'success', msg: '' } };
const plain = ({ status, body }: { status: number; body: object }) => ({ status, body });
const refused = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', msg, code } });
const known = async (by = guest) =>
  (await by.register({ fetch_event_types: ['realm_playgrounds'] }))['realm_playgrounds'];
const add = (params: Params = PAGE, by = administrator) => by.post<{ id: number }>('/realm/playgrounds', params);
const remove = (id: number, by = administrator) => by.delete(`/realm/playgrounds/${id}`);
const event = (...realm_playgrounds: object[]) => ({
  ...{ id: expect.any(Number) as number, type: 'realm_playgrounds', realm_playgrounds },
});

describe('playgrounds', () => {
  it('are in POST /register and in events for all', async () => {
    const ids: number[] = [];
    const received = await guest.receive(async () => {
      for (const name of ['Try it', 'Another']) ids.push(granted(await add({ ...PAGE, name })).id);
      expect(await known()).toEqual(ids.map((id, n) => ({ id, ...PAGE, name: ['Try it', 'Another'][n] })));
      expect(plain(await remove(ids[0] ?? 0))).toEqual(ok);
    }, 'realm_playgrounds');
    const [first, second] = [
      { id: ids[0], ...PAGE },
      { id: ids[1], ...PAGE, name: 'Another' },
    ];
    expect(received).toEqual([event(first), event(first, second), event(second)]);
    expect(await known()).toEqual([second]);
    granted(await remove(ids[1] ?? 0));
    expect(await known(member)).toEqual([]);
  });

  it('are changed by administrators only', async () => {
    const { id } = granted(await add());
    const forbidden = refused('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL');
    for (const person of [member, guest]) {
      expect(plain(await add({ ...PAGE, name: 'Another' }, person))).toEqual(forbidden);
      expect(plain(await remove(id, person))).toEqual(forbidden);
    }
    expect(await known()).toEqual([{ id, ...PAGE }]);
    granted(await remove(id));
    expect(plain(await remove(id))).toEqual(refused('Invalid playground'));
  });

  test.each<[params: Params, msg: string]>([
    [{ pygments_language: 'a$b&c' }, 'Invalid characters in pygments language'],
    [{ url_template: '{' }, 'Invalid URL template.'],
    [{ url_template: 'https://try.example' }, 'Missing the required variable "code" in the URL template'],
    [{ url_template: '{code}{x}' }, '"code" should be the only variable present in the URL template'],
    [{ name: ' ' }, 'This field cannot be blank.'],
    [{ pygments_language: 'x'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
  ])('are refused with %j', async (params, msg) => {
    expect(plain(await add({ ...PAGE, ...params }))).toEqual(refused(msg));
    expect(await known()).toEqual([]);
  });
});
