import type { Kernel, SystemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { findRealm } from '@annals/realm';
import { randomUUID } from 'node:crypto';

/** The organization that a server answers for under any host name. */
export const SUBDOMAIN = '';

/** The organization whose owners look after the server too: the one that the set-up made; undefined before it. */
export const operatorsRealm = (kernel: Kernel): Promise<RealmId | undefined> => findRealm(kernel, SUBDOMAIN);

/** Whoever runs commands on the server itself. */
export const operator = (realmId: RealmId): SystemActor => ({
  realmId,
  userId: null,
  origin: { client: 'annals', correlation: randomUUID(), address: null },
});
