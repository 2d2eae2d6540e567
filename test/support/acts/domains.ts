import fc from 'fast-check';
import { granted } from '../server/caller';
import type { Act } from './act';
import { act } from './act';
import type { World } from './world';
import { pick } from './world';

const domains = async ({ owner }: World) =>
  granted(await owner.get<{ domains: { domain: string }[] }>('/realm/domains')).domains;
const restrict = ({ owner }: World, emails_restricted_to_domains: boolean) =>
  owner.patch('/realm', { emails_restricted_to_domains });

/** Acts on the allowed domains. New users have an email at example.com. */
export const domainActs: readonly Act[] = [
  act('domain', 1, fc.record({ name: fc.nat(2), below: fc.boolean() }), async (world, { name, below }) => {
    const request = { domain: `d${name}.example`, allow_subdomains: below };
    const { status } = await world.owner.post('/realm/domains', request);
    return status === 200 ? null : world.owner.patch(`/realm/domains/${request.domain}`, request);
  }),
  act('restrict', 1, fc.constant('to domains'), async (world) => {
    await world.owner.post('/realm/domains', { domain: 'example.com', allow_subdomains: false });
    return restrict(world, true);
  }),
  act('end domain', 2, fc.nat(9), async (world, which) => {
    const all = await domains(world);
    if (all.length > 1) await restrict(world, false);
    return world.owner.delete(`/realm/domains/${pick(all, which)?.domain ?? 'none'}`);
  }),
];
