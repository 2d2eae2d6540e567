import type { RealmId } from '@annals/kernel/domain';

/** What no key name may contain (C2SP signed-note). */
const FORBIDDEN = /[\s+\p{Cc}]/gu;
/** The organization at the host of the server itself, which no other one gets. */
const FIRST = 1 as RealmId;

/** What a log is named by. */
export interface LogNaming {
  /** Base URL of the organization. */
  readonly url: string;
  readonly realmId: RealmId;
  readonly installation: string;
  readonly isRestored: boolean;
}

/**
 * The name of a log, which is the origin of its checkpoints and the name of its key: the address of its tiles without a
 * scheme (C2SP tlog-tiles). Two logs never have the same one. Another organization may get the subdomain later, so the name
 * has the number of the organization, which no other one gets. A restored log is another log, and its server may give numbers
 * again, so the name ends with the id of the installation. The first organization keeps its host, and its name has neither
 * until it is restored.
 */
export function logOriginOf({ url, realmId, installation, isRestored }: LogNaming): string {
  const { host } = new URL(url);
  const log = `${host}/api/v1/audit`.replace(FORBIDDEN, '');
  const id = installation.slice(0, 8);
  if (realmId !== FIRST) return `${log}/${realmId}/${id}`;
  return isRestored ? `${log}/${id}` : log;
}
