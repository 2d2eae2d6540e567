import type { Work } from '@annals/kernel';
import type { Realm } from '../domain/realm';
import { realmAggregate } from '../domain/realm';

/** The organization of the unit of work. The append depends on its settings. */
export async function organization(work: Work): Promise<NonNullable<Realm>> {
  const realm = await work.read(realmAggregate, 'realm');
  if (!realm) throw new Error(`realm ${work.realmId} does not exist`);
  return realm;
}
