import type { OrganizationLimits, Renaming } from '@annals/realm';
import { addHost, limitOrganization, removeHost, renameOrganization } from '@annals/realm';
import type { Named } from './named';
import { addressForNames, addressOf, titleOf } from './named';

/** `annals organizations rename`. @returns 0 @throws Error for a name or subdomain that it cannot have, or at an IP address */
export async function moveOrganization(
  { kernel, settings, organization, print }: Named,
  renaming: Renaming,
): Promise<number> {
  const address = renaming.subdomain === undefined ? addressOf(settings) : addressForNames(settings);
  await renameOrganization(kernel, organization.id, renaming);
  const { name = organization.name, subdomain = organization.subdomain } = renaming;
  print(`${titleOf({ id: organization.id, name })} is at ${address.urlOf(subdomain)}.`);
  return 0;
}

/** `annals organizations add-host` and `remove-host`. @returns 0 @throws Error when the host name cannot be had */
export async function changeHost(
  { kernel, settings, organization, print }: Named,
  change: 'add-host' | 'remove-host',
  host: string,
): Promise<number> {
  const isAdded = change === 'add-host';
  if (isAdded) await addHost(kernel, addressOf(settings), organization.id, host);
  else await removeHost(kernel, organization.id, host);
  print(`${titleOf(organization)} is ${isAdded ? 'also' : 'no longer'} at ${host}.`);
  return 0;
}

const NAMES = {
  people: 'people',
  storageMib: 'MiB of files',
  requests: 'requests a minute',
  logMib: 'MiB of log',
} as const satisfies Record<keyof OrganizationLimits, string>;

/** `annals organizations limits`. Without a limit it shows those that there are. @returns 0 */
export async function setLimits(
  { kernel, organization, print }: Named,
  changes: Partial<OrganizationLimits>,
): Promise<number> {
  await limitOrganization(kernel, organization.id, changes);
  const limits = { ...organization.limits, ...changes };
  const shown = Object.entries(NAMES).flatMap(([name, unit]) => {
    const limit = limits[name as keyof OrganizationLimits];
    return limit == null ? [] : [`${limit} ${unit}`];
  });
  print(`${titleOf(organization)} may have ${shown.length === 0 ? 'as much as it wants' : shown.join(', ')}.`);
  return 0;
}
