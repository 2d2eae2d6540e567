import fc from 'fast-check';
import { draftsOf, saveDraft } from '../requests/personal';
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

/** Acts that mute users and end that. */
export const mutingActs: readonly Act[] = [
  act('mute', 2, fc.record({ by: viewer, other: viewer, ends: fc.boolean() }), (world, { by, other, ends }) => {
    const path = `/users/me/muted_users/${world.viewer(other).id}`;
    return ends ? world.viewer(by).delete(path) : world.viewer(by).post(path);
  }),
];

const content = fc.constantFrom('not yet', 'nearly *done*');

const draftActs: readonly Act[] = [
  act('draft', 2, fc.record({ by: viewer, other: viewer, content }), (world, { by, other, content }) => {
    const [author, { id }] = [world.viewer(by), world.viewer(other)];
    return saveDraft(author, { type: 'private', to: [id], content });
  }),
  act(
    'edit draft',
    2,
    fc.record({ by: viewer, which: fc.nat(9), content, timestamp: fc.nat(3), ends: fc.boolean() }),
    async (world, { by, which, ends, ...changed }) => {
      const author = world.viewer(by);
      const path = `/drafts/${pick(await draftsOf(author), which)?.id ?? 0}`;
      return ends ? author.delete(path) : author.patch(path, { draft: { type: '', to: [], topic: '', ...changed } });
    },
  ),
];

const status = fc.record({
  by: viewer,
  of: fc.option(fc.nat(9), { nil: undefined }),
  status_text: fc.constantFrom(undefined, '', 'at lunch', 'away'),
  emoji_name: fc.constantFrom(undefined, '', 'car', 'tada'),
});

/** Acts that change the status of users. */
const statusActs: readonly Act[] = [
  act('say', 2, status, (world, { by, of, ...change }) => {
    const other = of === undefined ? undefined : pick([...world.others, ...world.bots], of);
    const caller = other === undefined ? world.viewer(by) : world.owner;
    return caller.post(`/users/${other ?? 'me'}/status`, change);
  }),
];

/** Acts of people on their own settings, views and drafts. */
export const personalActs: readonly Act[] = [
  act('view', 2, view, async (world, { by, fragment, is_pinned = true, name }) => {
    const isBuiltIn = fragment === 'inbox' || fragment === 'narrow/is/starred';
    const request = { fragment, is_pinned, name: isBuiltIn ? undefined : (name ?? fragment) };
    return world.viewer(by).post('/navigation_views', request);
  }),
  act('change view', 2, view, (world, { by, fragment, ...change }) =>
    world.viewer(by).patch(`/navigation_views/${fragment}`, change),
  ),
  act('end view', 1, view, (world, { by, fragment }) => world.viewer(by).delete(`/navigation_views/${fragment}`)),
  act('snippet', 2, viewer, (world, by) =>
    world.viewer(by).post('/saved_snippets', { title: `Snippet ${world.server.next()}`, content: 'once more' }),
  ),
  ...draftActs,
  act(
    'onboarding step',
    1,
    fc.record({ by: viewer, onboarding_step: fc.constantFrom('intro_resolve_topic', 'intro_inbox_view_modal') }),
    (world, { by, ...step }) => world.viewer(by).post('/users/me/onboarding_steps', step),
  ),
  ...mutingActs,
  ...statusActs,
  act(
    'alert words',
    1,
    fc.record({ by: viewer, word: fc.constantFrom('one', 'Two', 'hello'), ends: fc.boolean() }),
    (world, request) => {
      const [by, list] = [world.viewer(request.by), { alert_words: [request.word] }];
      return request.ends ? by.delete('/users/me/alert_words', list) : by.post('/users/me/alert_words', list);
    },
  ),
  act('edit snippet', 2, fc.record({ by: viewer, which: fc.nat(9), ends: fc.boolean() }), async (world, request) => {
    const by = world.viewer(request.by);
    const { saved_snippets } = granted(await by.get<{ saved_snippets: { id: number }[] }>('/saved_snippets'));
    const path = `/saved_snippets/${pick(saved_snippets, request.which)?.id ?? 0}`;
    return request.ends ? by.delete(path) : by.patch(path, { content: `once more ${world.server.next()}` });
  }),
];
