import { fact } from '@annals/kernel/domain';
import {
  ServerAddress,
  SubdomainChanged,
  addHost,
  deactivateOrganization,
  deleteOrganization,
  limitOrganization,
  reactivateOrganization,
  removeHost,
} from '@annals/realm';
import type { TestServer } from '../support/server/server';
import { SYSTEM } from './files';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';

/** Ways to log in. The server offers a second one for developers. */
export async function waysToLogInChange(owner: Person): Promise<void> {
  granted(await owner.patch('/realm', { authentication_methods: { Email: true, Dev: false } }));
  granted(await owner.patch('/realm', { authentication_methods: { Email: true, Dev: true } }));
}

/** Domains that emails may be restricted to. */
export async function domainsComeAndGo(owner: Person): Promise<void> {
  granted(await owner.post('/realm/domains', { domain: 'corp.example.com', allow_subdomains: true }));
  granted(await owner.patch('/realm/domains/corp.example.com', { allow_subdomains: false }));
  granted(await owner.delete('/realm/domains/corp.example.com'));
}

/** Linkifiers and code playgrounds. */
export async function linkifiersComeAndGo(owner: Person): Promise<void> {
  const ticket = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example.com/{id}' };
  const { id } = granted(await owner.post<{ id: number }>('/realm/filters', ticket));
  const example = {
    example_input: '#12',
    reverse_template: '#{id}',
    alternative_url_templates: ['https://t.example/{id}'],
  };
  granted(await owner.patch(`/realm/filters/${id}`, { ...ticket, ...example }));
  const commit = { pattern: '(?P<hash>[0-9a-f]{40})', url_template: 'https://code.example.com/{hash}' };
  const second = granted(await owner.post<{ id: number }>('/realm/filters', commit));
  granted(await owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [second.id, id] }));
  granted(await owner.delete(`/realm/filters/${id}`));
  const page = { name: 'Try it', pygments_language: 'Python', url_template: 'https://try.example.com/{?code}' };
  const playground = granted(await owner.post<{ id: number }>('/realm/playgrounds', page));
  granted(await owner.delete(`/realm/playgrounds/${playground.id}`));
}

/** What the operator decides about the organization, and takes back. */
export async function operatorDecides({ kernel }: TestServer): Promise<void> {
  const realmId = SYSTEM.realmId;
  const address = new ServerAddress('https://chat.example.com');
  await addHost(kernel, address, realmId, 'talk.example.org');
  await removeHost(kernel, realmId, 'talk.example.org');
  await limitOrganization(kernel, realmId, { people: 500, logMib: 2_000 });
  await limitOrganization(kernel, realmId, { people: null, logMib: null });
  await deactivateOrganization(kernel, realmId);
  await deleteOrganization(kernel, realmId, 30);
  await reactivateOrganization(kernel, realmId);
  // The organization of the server's own address cannot move away for long.
  const moves = [
    { subdomain: 'zoo', previous: '' },
    { subdomain: '', previous: 'zoo' },
  ].map((data) => fact(SubdomainChanged, data));
  await kernel.work.run(SYSTEM, async (work) => work.append('addresses', moves));
}
