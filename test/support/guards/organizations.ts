import type { RealmId } from '@annals/kernel/domain';
import { createOrganization } from '@annals/onboarding';
import { ServerAddress, addHost, findRealm, limitOrganization, renameOrganization } from '@annals/realm';
import { granted } from '../server/caller';
import type { ProcessServer } from '../processes/processes';
import type { Race, Races } from './stage';
import { bad, done } from './stage';

const FIRST = 1 as RealmId;
const ADDRESS = new ServerAddress('https://chat.example.com');

/** Races for what the operator decides about organizations. */
export const organizationRaces = (server: ProcessServer): Races => ({
  'people-room': async () => {
    const [here, there] = server.sides(server.owner);
    const people = async () => {
      const { members } = granted(await here.get<{ members: { is_bot: boolean; is_active: boolean }[] }>('/users'));
      return members.filter((one) => one.is_active && !one.is_bot).length;
    };
    const limit = (await people()) + 1;
    await limitOrganization(server.kernel, FIRST, { people: limit });
    const account = (n: number) => ({
      email: `last${n}@example.com`,
      password: 'one password for two',
      full_name: `Last ${n}`,
    });
    return {
      acts: [() => here.post('/users', account(1)), () => there.post('/users', account(2))],
      second: bad(`This organization may have ${limit} people at most.`),
      look: async () => {
        expect(await people()).toBe(limit);
        await limitOrganization(server.kernel, FIRST, { people: null });
      },
    };
  },

  'subdomain-free': () =>
    claimed(server, 'Subdomain is already in use. Please choose a different one.', (kernel, realmId) =>
      renameOrganization(kernel, realmId, { subdomain: 'wanted-by-two' }),
    ),

  'host-free': () =>
    claimed(server, 'wanted.example.org already means an organization.', (kernel, realmId) =>
      addHost(kernel, ADDRESS, realmId, 'wanted.example.org'),
    ),
});

/** Two organizations claim one address, each in a process of its own. */
async function claimed(
  server: ProcessServer,
  msg: string,
  claim: (kernel: ProcessServer['kernel'], realmId: RealmId) => Promise<void>,
): Promise<Race> {
  const kernels = [server.kernel, await server.anotherKernel()] as const;
  const realms: RealmId[] = [];
  for (let n = 0; n < 2; n += 1) {
    const subdomain = `claimant-${server.next()}`;
    const input = { organization: subdomain, ownerEmail: `${subdomain}@example.com`, url: ADDRESS.url, subdomain };
    await createOrganization(server.kernel, input);
    realms.push((await findRealm(server.kernel, subdomain)) ?? FIRST);
  }
  const act = (n: 0 | 1) => async () => {
    try {
      await claim(kernels[n], realms[n] ?? FIRST);
      return done();
    } catch (error) {
      return { status: 400, body: { result: 'error', msg: (error as Error).message }, headers: new Headers() };
    }
  };
  return {
    realms,
    acts: [act(0), act(1)],
    second: { status: 400, body: { msg } },
    look: () => kernels[1].close(),
  };
}
