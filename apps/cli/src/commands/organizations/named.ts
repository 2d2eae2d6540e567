import type { Kernel } from '@annals/kernel';
import type { OrganizationSummary } from '@annals/onboarding';
import type { RealmId } from '@annals/kernel/domain';
import { findOrganization, operatorsRealm, organizationAt } from '@annals/onboarding';
import { ServerAddress, normalHost } from '@annals/realm';
import { defaultAddressOf } from '../../../../shared/src/open-kernel';
import type { Settings } from '../../../../shared/src/settings';

/** An opened installation, and the organization that the operator named. */
export interface Named {
  readonly kernel: Kernel;
  readonly settings: Settings;
  readonly organization: OrganizationSummary;
  readonly print: (line: string) => void;
}

/** The address of the server that organizations are below. */
export const addressOf = (settings: Settings): ServerAddress => new ServerAddress(defaultAddressOf(settings));

/** The same, for an organization that gets a name below it. @throws Error for an IP address of another machine, which has no names */
export function addressForNames(settings: Settings): ServerAddress {
  const address = addressOf(settings);
  if (address.hasNames) return address;
  throw new Error(
    `The address of this server is ${address.url}, and no name can be below an IP address. ` +
      'Set ANNALS_URL to an address with a host name, such as https://chat.example.com, for the server and this command.',
  );
}

/**
 * The organization that the operator names. A host name of the server itself means the organization that is there. An empty name, such
 * as that of a variable that was not set, means none.
 */
export async function organizationNamed(
  kernel: Kernel,
  settings: Settings,
  named: string,
): Promise<OrganizationSummary | undefined> {
  const address = addressOf(settings);
  const trimmed = named.trim();
  const name = /^\d+$/.test(trimmed) ? trimmed : normalHost(trimmed);
  if (name === '') return undefined;
  return address.isOwn(name) ? organizationAt(kernel, address.subdomainOf(name)) : findOrganization(kernel, name);
}

/** The organization that an option names. Left out: the first one. @throws Error when there is none */
export async function realmNamed(
  { kernel, settings }: Pick<Named, 'kernel' | 'settings'>,
  named: string | undefined,
): Promise<RealmId> {
  const found =
    named === undefined ? await operatorsRealm(kernel) : (await organizationNamed(kernel, settings, named))?.id;
  if (found !== undefined) return found;
  throw new Error(
    named === undefined
      ? 'There is no organization yet. "annals setup" creates it.'
      : `There is no organization ${named}.`,
  );
}

/**
 * The number of the organization that `--realm` names, by the same rule. A number counts as it is, because these commands also work for
 * logs whose read models are not there. Left out: undefined.
 *
 * @throws Error when there is none of this name
 */
export async function realmIdNamed(
  opened: Pick<Named, 'kernel' | 'settings'>,
  named: string | undefined,
): Promise<number | undefined> {
  if (named === undefined) return undefined;
  return /^\d{1,15}$/.test(named.trim()) ? Number(named) : realmNamed(opened, named);
}

/** How messages to the operator name an organization. */
export const titleOf = ({ name, id }: Pick<OrganizationSummary, 'id' | 'name'>): string => `${name} (realm ${id})`;

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
