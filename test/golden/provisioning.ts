import { directoryOf } from '../support/provisioning/scim-caller';
import { granted } from '../support/server/caller';
import type { TestServer } from '../support/server/server';

/** A directory provisions a person and a group, and takes them back. */
export async function directoryComesAndGoes({ owner }: TestServer): Promise<void> {
  const directory = await directoryOf(owner, { name: 'Okta' });
  const created = async (path: string, body: object): Promise<string> => {
    const answer = await directory.post(path, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return String(answer.body.id);
  };
  const name = { givenName: 'Paul', familyName: 'Pro' };
  const person = await created('/Users', { externalId: '00u1', userName: 'paul@example.com', name, locale: 'de' });
  const members = [{ value: person }];
  const group = await created('/Groups', { externalId: '00g1', displayName: 'Provisioned', members });
  await directory.delete(`/Groups/${group}`);
  await directory.delete(`/Users/${person}`);
  granted(await owner.delete('/provisioning/tokens/1'));
}
