import { systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { identitiesAggregate, linkIdentity, unlinkIdentity } from '@annals/sign-in';
import { LogInBrowser } from '@annals/users';
import { CommandBus } from '@nestjs/cqrs';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';
import type { TestServer } from '../support/server/server';

/** A browser logs in, and is logged out by another program of the person. */
export async function browsersComeAndGo(server: TestServer, person: Person): Promise<void> {
  const [api] = server.apis;
  if (!api) throw new Error('no api runs');
  const { email: username, password } = person;
  const origin = { client: 'website', correlation: '00000000-0000-4000-8000-000000000070', address: '203.0.113.7' };
  const entered = { realmId: 1 as RealmId, username, password, origin };
  await api.app.get(CommandBus).execute(new LogInBrowser(entered, undefined));
  const { sessions } = granted(await person.get<{ sessions: { id: number }[] }>('/users/me/sessions'));
  granted(await person.delete(`/users/me/sessions/${sessions[0]?.id}`));
}

/** Logins without a password of the server. The identity is linked as a provider would. */
export async function identitiesComeAndGo({ kernel, anonymous }: TestServer, { id, email }: Person): Promise<void> {
  granted(await anonymous.post('/dev_fetch_api_key', { username: email }));
  const identity = { issuer: 'https://id.example.com', subject: 'ann-0815' };
  const at = systemActor(1 as RealmId);
  await kernel.work.run(at, (work) =>
    work.decide(identitiesAggregate, id, (state) => linkIdentity(state, id, identity)),
  );
  await kernel.work.run(at, (work) =>
    work.decide(identitiesAggregate, id, (state) => unlinkIdentity(state, id, identity.issuer)),
  );
}
