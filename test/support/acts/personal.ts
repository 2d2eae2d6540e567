import fc from 'fast-check';
import { granted } from '../server/caller';
import type { Act } from './act';
import { act } from './act';
import { pick, viewer } from './world';

const FRAGMENTS = ['inbox', 'narrow/is/starred', 'narrow/is/dm', 'narrow/channel/1/topic/'] as const;

const view = fc.record({
  by: viewer,
  fragment: fc.constantFrom(...FRAGMENTS),
  is_pinned: fc.option(fc.boolean(), { nil: undefined }),
  name: fc.constantFrom(undefined, 'One', 'Two'),
});

/** What people arrange for themselves. */
export const personalActs: readonly Act[] = [
  act('view', 2, view, async (world, { by, fragment, is_pinned = true, name }) => {
    const isBuiltIn = fragment === 'inbox' || fragment === 'narrow/is/starred';
    const wish = { fragment, is_pinned, name: isBuiltIn ? undefined : (name ?? fragment) };
    return world.viewer(by).post('/navigation_views', wish);
  }),
  act('change view', 2, view, (world, { by, fragment, ...change }) =>
    world.viewer(by).patch(`/navigation_views/${fragment}`, change),
  ),
  act('end view', 1, view, (world, { by, fragment }) => world.viewer(by).delete(`/navigation_views/${fragment}`)),
  act('snippet', 2, viewer, (world, by) =>
    world.viewer(by).post('/saved_snippets', { title: `Snippet ${world.server.next()}`, content: 'once more' }),
  ),
  act('edit snippet', 2, fc.record({ by: viewer, which: fc.nat(9), ends: fc.boolean() }), async (world, wish) => {
    const by = world.viewer(wish.by);
    const { saved_snippets } = granted(await by.get<{ saved_snippets: { id: number }[] }>('/saved_snippets'));
    const path = `/saved_snippets/${pick(saved_snippets, wish.which)?.id ?? 0}`;
    return wish.ends ? by.delete(path) : by.patch(path, { content: `once more ${world.server.next()}` });
  }),
];
