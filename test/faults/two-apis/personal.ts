import type { Answer, Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { ProcessServer } from '../../support/processes/processes';
import { race } from '../../support/guards/race';

/** Settings of one account, and the domains of addresses, change in two places at once. */
export function personal(the: () => ProcessServer): void {
  let server: ProcessServer;
  beforeAll(() => void (server = the()));

  /** The first succeeds. The second, which decided on the same facts, is refused. */
  async function loses(first: () => Promise<Answer>, second: () => Promise<Answer>, refusal: object): Promise<void> {
    const [one, other] = await race(server.kernel, [first, second]);
    expect(one).toMatchObject({ status: 200 });
    expect(other).toMatchObject(refusal);
  }

  describe('of two processes that change the views of one account at once', () => {
    const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Navigation view already exists.' } };
    const add = (by: Caller, fragment: string, name?: string) =>
      by.post('/navigation_views', { fragment, name, is_pinned: true });

    it('one cannot add what the other adds, nor give its name', async () => {
      const writer = await server.person();
      const [here, there] = server.sides(writer);
      await loses(
        () => add(here, 'inbox'),
        () => add(there, 'inbox'),
        refused,
      );
      await loses(
        () => add(here, 'narrow/is/dm', 'Mine'),
        () => add(there, 'narrow/is/alerted', 'Mine'),
        refused,
      );
      granted(await add(here, 'narrow/is/unread', 'New'));
      await loses(
        () => here.patch('/navigation_views/narrow/is/dm', { name: 'All' }),
        () => there.patch('/navigation_views/narrow/is/unread', { name: 'All' }),
        refused,
      );
      const { navigation_views } = granted(
        await here.get<{ navigation_views: { name: string }[] }>('/navigation_views'),
      );
      expect(navigation_views.map(({ name }) => name)).toEqual([null, 'All', 'New']);
    });

    it('one cannot change what the other removes', async () => {
      const [here, there] = server.sides(await server.person());
      granted(await add(here, 'feed'));
      await loses(
        () => here.delete('/navigation_views/feed'),
        () => there.patch('/navigation_views/feed', { is_pinned: false }),
        { status: 404, body: { code: 'NOT_FOUND' } },
      );
    });
  });

  it('of two processes one cannot edit the snippet that the other deletes', async () => {
    const [here, there] = server.sides(await server.person());
    const words = { title: 'Thanks', content: 'Thank you!' };
    const { saved_snippet_id: id } = granted(await here.post<{ saved_snippet_id: number }>('/saved_snippets', words));
    await loses(
      () => here.delete(`/saved_snippets/${id}`),
      () => there.patch(`/saved_snippets/${id}`, { title: 'Many thanks' }),
      { status: 404, body: { code: 'BAD_REQUEST' } },
    );
  });

  describe('of two processes that change allowed domains at once', () => {
    const add = (by: Caller, domain: string) => by.post('/realm/domains', { domain, allow_subdomains: false });
    const restrict = (by: Caller) => by.patch('/realm', { emails_restricted_to_domains: true });
    const refused = { status: 400, body: { code: 'BAD_REQUEST' } };

    it('one cannot add what the other adds', async () => {
      const [here, there] = server.sides(server.owner);
      await loses(
        () => add(here, 'zoo.example'),
        () => add(there, 'ZOO.example'),
        refused,
      );
    });

    it('an account is not created with an email whose domain is being removed', async () => {
      const [here, there] = server.sides(server.owner);
      granted(await add(here, 'farm.example'));
      granted(await restrict(here));
      const account = { email: 'ann@farm.example', password: 'a very good one', full_name: 'Ann' };
      await loses(
        () => here.delete('/realm/domains/farm.example'),
        () => there.post('/users', account),
        refused,
      );
    });

    it('the second of two that remove the last domains finds the other removed, and ends the restriction', async () => {
      const [here, there] = server.sides(server.owner);
      granted(await add(here, 'farm.example'));
      const remove = (by: Caller, domain: string) => by.delete(`/realm/domains/${domain}`);
      const both = await race(server.kernel, [() => remove(here, 'farm.example'), () => remove(there, 'zoo.example')]);
      expect(both).toMatchObject([{ status: 200 }, { status: 200 }]);
      const { realm_emails_restricted_to_domains, realm_domains } = await here.register({
        fetch_event_types: ['realm', 'realm_domains'],
      });
      expect({ realm_emails_restricted_to_domains, realm_domains }).toEqual({
        realm_emails_restricted_to_domains: false,
        realm_domains: [],
      });
    });
  });
}
