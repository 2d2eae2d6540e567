import type { Kernel } from '@annals/kernel';
import { measureLog } from '@annals/kernel';
import type { OrganizationSummary } from '@annals/onboarding';
import { listOrganizations } from '@annals/onboarding';
import type { Settings } from '../../../../shared/src/settings';
import { addressOf, dayOf, titleOf } from './named';

const MIB = 1024 * 1024;

interface Listed extends OrganizationSummary {
  readonly url: string;
  readonly state: 'active' | 'deactivated';
  /** Bytes of its events. */
  readonly log: number;
}

/** `annals organizations list`. @returns 0 */
export async function list(
  kernel: Kernel,
  settings: Settings,
  { json = false }: { readonly json?: boolean },
  print: (line: string) => void,
): Promise<number> {
  const address = addressOf(settings);
  for (const organization of await listOrganizations(kernel)) {
    const listed: Listed = {
      ...organization,
      url: address.urlOf(organization.subdomain),
      state: organization.deactivatedAt === null ? 'active' : 'deactivated',
      log: await measureLog(kernel.database.pool, organization.id),
    };
    for (const line of json ? [JSON.stringify(inJson(listed))] : describe(listed)) print(line);
  }
  return 0;
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const inJson = ({ createdAt, deactivatedAt, deleteAt, ...others }: Listed) => ({
  ...others,
  createdAt: iso(createdAt),
  deactivatedAt: iso(deactivatedAt),
  deleteAt: iso(deleteAt),
});

function describe(one: Listed): string[] {
  const { limits, people, storage, log, messages, hosts, url } = one;
  const of = (limit: number | null | undefined) => (limit == null ? '' : ` of ${limit}`);
  const requests = limits.requests == null ? '' : `, ${limits.requests} requests a minute`;
  return [
    `${titleOf(one)}: ${stateOf(one)}`,
    `  ${[url, ...hosts].join(', ')}`,
    `  ${people}${of(limits.people)} people, ${messages} messages, ${mib(storage)}${of(limits.storageMib)} MiB of files, ${mib(log)}${of(limits.logMib)} MiB of log${requests}`,
  ];
}

const mib = (bytes: number): string => (bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0);

function stateOf({ createdAt, deactivatedAt, deleteAt }: Listed): string {
  if (deactivatedAt === null) return `active since ${dayOf(createdAt)}`;
  const end = deleteAt === null ? '' : `, to be deleted on ${dayOf(deleteAt)}`;
  return `deactivated on ${dayOf(deactivatedAt)}${end}`;
}
