import { Browser } from '../server/browser';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { ProcessServer } from '../processes/processes';
import type { OidcServer } from '../sign-on/oidc-server';
import { departed, somebodyAt } from '../sign-on/oidc-visits';
import type { Races } from './stage';

const LOGIN = '/accounts/login/social/oidc/home';

/** Races for logins by another system. @param provider that the server knows as `home` */
export const identityRaces = (server: ProcessServer, provider: OidcServer): Races => ({
  'identity-free': async () => {
    const [one, other] = [await server.person(), await server.person()];
    const sub = somebodyAt(provider, {});
    const logIn = async (n: 0 | 1, { email }: Person) => {
      const browser = new Browser(server.urls[n] ?? '');
      const back = await departed(browser, provider, sub, LOGIN);
      return async () => {
        // The person gets another address at the provider between the two logins.
        provider.people.set(sub, { email, email_verified: true });
        const { status, headers, words } = await browser.open(back);
        return { status, headers, body: { result: 'success', msg: words } };
      };
    };
    return {
      acts: [await logIn(0, one), await logIn(1, other)],
      // The identity is that of the first account by then.
      second: { status: 200, body: { msg: expect.stringContaining(one.email) as string } },
      look: async () => {
        const asked = { types: ['sign-in.IdentityLinked'], limit: 100 };
        const { events } = granted(
          await server.owner.get<{ events: { data: { userId: number } }[] }>('/audit/events', asked),
        );
        expect(events.map(({ data }) => data.userId)).toEqual([one.id]);
      },
    };
  },
});
