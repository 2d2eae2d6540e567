import { systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { DirectorySynchronized, directoryStream } from '@annals/provisioning';
import {
  directoryAccountAggregate,
  identitiesAggregate,
  linkIdentity,
  suspend,
  takePicture,
  unlinkIdentity,
} from '@annals/sign-in';
import { Secret, TOTP } from 'otpauth';
import { outboxOf } from '../support/mail/outbox';
import { changeOwnEmail } from '../support/mail/own-email';
import { Browser } from '../support/server/browser';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';
import type { TestServer } from '../support/server/server';

/** A browser logs in, and is logged out by another program of the person. */
export async function browsersComeAndGo(server: TestServer): Promise<void> {
  const person = await server.person({ name: 'Bob Browser' });
  const { email: username, password } = person;
  await new Browser(server.url).fill('/login', { username, password });
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

/** Somebody forgets a password. */
export async function passwordsAreForgotten(server: TestServer): Promise<void> {
  const person = await server.person({ name: 'Fay Forgetful' });
  const browser = new Browser(server.url);
  await browser.fill('/accounts/password/reset', { email: person.email });
  const mail = (await outboxOf(server)).find(({ to }) => to.includes(person.email));
  await browser.fill(new URL(mail?.links[0] ?? '').pathname, { new_password: 'a new one for Fay' });
}

/** Somebody protects an account with an app, logs in with a recovery code, and needs no code any more. */
export async function appsComeAndGo(server: TestServer): Promise<void> {
  const person = await server.person({ name: 'Abe App' });
  const { email: username, password } = person;
  const browser = new Browser(server.url);
  await browser.fill('/login', { username, password });
  const page = await browser.open('/account/two-factors');
  const app = new TOTP({ secret: Secret.fromBase32(page.forms[0]?.fields['secret'] ?? '') });
  const code = app.generate({ timestamp: server.clock.now() });
  const codes = await browser.submit(page, { code, password });
  const [first = '', second = ''] = codes.words.match(/\b[a-z2-9]{5}-[a-z2-9]{5}\b/g) ?? [];
  const other = new Browser(server.url);
  await other.submit(await other.fill('/login', { username, password }), { code: first });
  await browser.fill('/account/two-factors', { code: second });
}

/** Somebody asks for another email, and confirms it. */
export async function emailsAreConfirmed(server: TestServer): Promise<void> {
  const person = await server.person({ name: 'Nell New' });
  await changeOwnEmail(server, person, person.id, 'nell@example.com');
}

/** What a directory does with an account, and the record of the run. */
export async function directoriesAreFollowed({ kernel }: TestServer, { id }: Person): Promise<void> {
  const directory = 'company';
  const counts = { linked: 1, suspended: 0, restored: 0, renamed: 2, rolesChanged: 1, membershipsChanged: 3 };
  const rest = { profilesChanged: 0, picturesTaken: 1, problems: 0 };
  await kernel.work.run(systemActor(1 as RealmId), async (work) => {
    const taken = { directory, digest: 'digest-of-a-picture' };
    await work.decide(directoryAccountAggregate, id, (state) => takePicture(state, id, taken));
    await work.decide(directoryAccountAggregate, id, () => suspend(id, directory, 'missing'));
    const run = fact(DirectorySynchronized, { directory, counts: { ...counts, ...rest } });
    work.append(directoryStream(directory), [run]);
  });
}
