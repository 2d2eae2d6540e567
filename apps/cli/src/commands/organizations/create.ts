import { readFile } from 'node:fs/promises';
import type { Kernel } from '@annals/kernel';
import { createOrganization } from '@annals/onboarding';
import { checkedName, ensureSubdomain } from '@annals/realm';
import { isThisMachine } from '@annals/sign-in';
import { API_KEY, ensureStrong } from '@annals/users';
import { PASSWORD } from '@annals/realm';
import { isEmail } from 'class-validator';
import type { Settings } from '../../../../shared/src/settings';
import { addressForNames } from './named';

interface CreateOptions {
  readonly owner: string;
  readonly name?: string;
  readonly host?: readonly string[];
  readonly passwordFile?: string;
  readonly keyFile?: string;
  readonly json?: boolean;
}

/**
 * `annals organizations create`: an organization with its owner, beside the others.
 *
 * @returns 0
 * @throws Error for invalid input, for a subdomain or host name that another organization has, and for a server at an IP address
 */
export async function create(
  kernel: Kernel,
  settings: Settings,
  subdomain: string,
  options: CreateOptions,
  print: (line: string) => void,
): Promise<number> {
  const { owner, name = subdomain, host: hosts = [], json = false } = options;
  ensureSubdomain(subdomain);
  const ownerEmail = owner.trim();
  if (!isEmail(ownerEmail)) throw new Error(`${owner} is not an email address.`);
  const address = addressForNames(settings);
  const secrets = await secretsOf(options, ownerEmail);
  const linksOwner = secrets.ownerPassword === undefined;
  const common = { organization: checkedName(name), ownerEmail, url: address.url, subdomain, hosts, linksOwner };
  const { apiKey, resetToken } = await createOrganization(kernel, { ...common, ...secrets });
  const shownKey = secrets.ownerApiKey === undefined ? apiKey : null;
  const url = address.urlOf(subdomain);
  const passwordLink = resetToken === null ? null : `${url}/accounts/password/reset/${resetToken}`;
  if (json) print(JSON.stringify({ subdomain, url, ownerEmail, apiKey: shownKey, passwordLink }));
  else {
    print(`Created the organization ${common.organization} at ${url}.`);
    print(`Owner: ${ownerEmail}`);
    if (shownKey !== null) print(`API key: ${shownKey} (not shown again)`);
    const names = [new URL(url).hostname, ...hosts].filter((host) => !isThisMachine(host));
    if (names.length > 0) print(`Next: let ${names.join(' and ')} lead to this server, with a certificate.`);
    if (passwordLink !== null) {
      const end = shownKey === null ? '' : ', which ends the key';
      print(`Then the owner chooses a password within a day${end}: ${passwordLink}`);
    }
    print('With it they log in, and invite the others.');
  }
  return 0;
}

/** Secrets come in files, because everybody on the machine sees the arguments of a program. */
async function secretsOf({ passwordFile, keyFile }: CreateOptions, ownerEmail: string) {
  const read = async (file: string) => (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  const ownerPassword = passwordFile === undefined ? undefined : await read(passwordFile);
  const ownerApiKey = keyFile === undefined ? undefined : await read(keyFile);
  if (ownerPassword !== undefined) ensureStrong(ownerPassword, PASSWORD, [ownerEmail]);
  if (ownerApiKey !== undefined && !API_KEY.test(ownerApiKey)) {
    throw new Error('The API key must be exactly 32 letters and digits.');
  }
  return { ownerPassword, ownerApiKey };
}
