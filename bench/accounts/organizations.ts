import { createOrganization } from '@annals/onboarding';
import type { Kernel } from '@annals/kernel';
import type { Bench } from '../harness';
import type { Annals } from '../http/annals';
import { ApiClient } from '../http/client';
import { LOCAL_EMAIL, LOCAL_KEY } from '../http/local-key';

const HOST = 'chat.example.com';
const ADDRESS = `http://${HOST}`;
/** Settings of a server whose organizations have subdomains. The first one answers at any other host. */
export const SUBDOMAINS: NodeJS.ProcessEnv = { ANNALS_URL: ADDRESS };

/** Organizations that are created at the same time. */
const AT_ONCE = 16;

/** Creates organizations beside the first one, each with an owner who has the local key. @returns their subdomains */
export async function createOrganizations(bench: Bench, kernel: Kernel, count: number): Promise<readonly string[]> {
  const subdomains = Array.from({ length: count }, (_, n) => `organization-${n + 2}`);
  const left = [...subdomains];
  const create = async () => {
    for (let subdomain = left.shift(); subdomain !== undefined; subdomain = left.shift()) {
      bench.say('creating organizations', `${count - left.length} of ${count}`);
      const owner = { ownerEmail: LOCAL_EMAIL, ownerApiKey: LOCAL_KEY };
      await createOrganization(kernel, { organization: subdomain, ...owner, url: ADDRESS, subdomain });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
  return subdomains;
}

/** A client of the owner of one of those organizations. It is closed after the measurement. */
export function ownerAt(bench: Bench, { address }: Pick<Annals, 'address'>, subdomain: string): ApiClient {
  const client = new ApiClient(address, LOCAL_EMAIL, LOCAL_KEY, `${subdomain}.${HOST}`);
  bench.after(async () => client.close());
  return client;
}
