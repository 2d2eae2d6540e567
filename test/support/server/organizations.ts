import { createOrganization, findOrganization } from '@annals/onboarding';
import type { RealmId } from '@annals/kernel/domain';
import type { Caller } from './caller';
import { secrets } from '../laws/secrets';
import type { TestServer } from './server';

/** The address of servers whose organizations have subdomains. Callers name a host below it. */
export const SERVER_URL = 'http://chat.example.com';

/** Settings of such a server. */
export const SERVER_ENV = { ANNALS_URL: SERVER_URL, ANNALS_TRUSTED_PROXIES: '1' };

/** An organization beside the first one of a server. */
export interface OtherOrganization {
  readonly id: RealmId;
  readonly host: string;
  readonly owner: Caller;
}

let made = 0;

/** Creates an organization at a subdomain of `SERVER_URL`, as its operator does. */
export async function anotherOrganization(server: TestServer, subdomain: string): Promise<OtherOrganization> {
  made += 1;
  const email = `owner@${subdomain}.example.com`;
  const key = `keyOfOwner${made}`.padEnd(32, 'x');
  secrets.add('key', key);
  await createOrganization(server.kernel, {
    organization: `The ${subdomain}`,
    ownerEmail: email,
    ownerApiKey: key,
    url: SERVER_URL,
    subdomain,
  });
  const found = await findOrganization(server.kernel, subdomain);
  if (!found) throw new Error(`there is no organization ${subdomain}`);
  const host = `${subdomain}.chat.example.com`;
  return { id: found.id, host, owner: server.as({ email, key }).named(host) };
}
