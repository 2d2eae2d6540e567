import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { findRealm } from '@annals/realm';

/** The organization that a server uses for every other host name. */
export const SUBDOMAIN = '';

/** The organization whose owners also operate the server: the one that the set-up created. Undefined before it. */
export const operatorsRealm = (kernel: Kernel): Promise<RealmId | undefined> => findRealm(kernel, SUBDOMAIN);
