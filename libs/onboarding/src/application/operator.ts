import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { findRealm } from '@annals/realm';

/** The organization that a server answers for under any host name. */
export const SUBDOMAIN = '';

/** The organization whose owners look after the server too: the one that the set-up made; undefined before it. */
export const operatorsRealm = (kernel: Kernel): Promise<RealmId | undefined> => findRealm(kernel, SUBDOMAIN);
