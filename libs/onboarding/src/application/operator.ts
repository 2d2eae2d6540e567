import type { SystemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { randomUUID } from 'node:crypto';

/** The organization that a server answers for under any host name. */
export const SUBDOMAIN = '';

/** Whoever runs commands on the server itself. */
export const operator = (realmId: RealmId): SystemActor => ({
  realmId,
  userId: null,
  origin: { client: 'annals', correlation: randomUUID(), address: null },
});
