import fc from 'fast-check';
import { granted } from '../server/caller';
import type { Act } from './act';
import { act } from './act';
import type { World } from './world';
import { pick } from './world';

const linkifiers = async ({ owner }: World) =>
  granted(await owner.get<{ linkifiers: { id: number }[] }>('/realm/linkifiers')).linkifiers.map(({ id }) => id);
const playgrounds = async ({ owner }: World) =>
  (await owner.register({ fetch_event_types: ['realm_playgrounds'] }))['realm_playgrounds'] as { id: number }[];

/** Acts on linkifiers and playgrounds. */
export const linkifierActs: readonly Act[] = [
  act('linkifier', 1, fc.record({ sign: fc.constantFrom('#', 'T-', 'pull/'), n: fc.nat(1) }), (world, { sign, n }) =>
    world.owner.post('/realm/filters', { pattern: `${sign}(?P<id>\\d+)`, url_template: `https://t${n}.example/{id}` }),
  ),
  act('change linkifier', 1, fc.nat(9), async (world, which) =>
    world.owner.patch(`/realm/filters/${pick(await linkifiers(world), which) ?? 0}`, {
      ...{ pattern: 'changed', url_template: 'https://example.com/changed', example_input: 'changed' },
    }),
  ),
  act('end linkifier', 1, fc.nat(9), async (world, which) =>
    world.owner.delete(`/realm/filters/${pick(await linkifiers(world), which) ?? 0}`),
  ),
  act('reorder linkifiers', 1, fc.constant('backwards'), async (world) =>
    world.owner.patch('/realm/linkifiers', { ordered_linkifier_ids: (await linkifiers(world)).reverse() }),
  ),
  act('playground', 1, fc.nat(2), (world, n) => {
    const page = { name: `page ${n}`, pygments_language: 'Python', url_template: 'https://try.example/{code}' };
    return world.owner.post('/realm/playgrounds', page);
  }),
  act('end playground', 1, fc.nat(9), async (world, which) =>
    world.owner.delete(`/realm/playgrounds/${pick(await playgrounds(world), which)?.id ?? 0}`),
  ),
];
