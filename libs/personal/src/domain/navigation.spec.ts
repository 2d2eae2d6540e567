import type { UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { given, recorded } from '../../../../test/support/events/recorded-events';
import type { NavigationEvent } from './events';
import type { NavigationView, ViewChange } from './navigation';
import { MAX_VIEWS, addView, changeView, navigationAggregate, removeView } from './navigation';

const ME = 7 as UserId;
const inbox: NavigationView = { id: 3, fragment: 'inbox', name: null, isPinned: true };
const plans: NavigationView = { id: 4, fragment: 'narrow/channel/5-plans', name: 'Plans', isPinned: false };
const both = [inbox, plans];
const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error instanceof Rejected ? error.code : error;
  }
  return undefined;
};
const add = (fragment: string, name: string | null, views: readonly NavigationView[] = both) =>
  addView(views, { fragment, name, isPinned: true }, ME);
const change = (fragment: string, requested: ViewChange) => changeView(both, fragment, requested, ME);

describe('adding a view', () => {
  it('is an event with sealed texts', () => {
    expect(add('narrow/is/dm', 'Private')).toEqual([
      {
        type: 'personal.NavigationViewAdded',
        data: { userId: 7, isPinned: true },
        sealed: { fragment: 'narrow/is/dm', name: 'Private' },
      },
    ]);
    expect(add('narrow/is/starred', null)).toMatchObject([{ sealed: { fragment: 'narrow/is/starred', name: null } }]);
  });

  it.each<[string, string, string | null]>([
    ['a built-in view with a name', 'recent', 'Latest'],
    ['another one without', 'narrow/is/dm', null],
    ['a fragment that is there', plans.fragment, 'Other'],
    ['a built-in one that is there', 'inbox', null],
    ['a name that is there', 'narrow/is/dm', 'Plans'],
  ])('refuses %s', (_, fragment, name) => expect(refusal(() => add(fragment, name))).toBe('BAD_REQUEST'));

  it('compares names and fragments exactly', () => {
    expect(add('Inbox', 'plans')).toHaveLength(1);
  });

  it('is limited in number', () => {
    const many = Array.from({ length: MAX_VIEWS }, (_, n) => ({ ...plans, id: n, fragment: `${n}`, name: `${n}` }));
    expect(refusal(() => add('feed', null, many))).toBe('BAD_REQUEST');
    expect(add('feed', null, many.slice(1))).toHaveLength(1);
  });
});

describe('changing a view', () => {
  it('records changes', () => {
    const data = { userId: 7, viewId: 4 };
    expect(change(plans.fragment, { isPinned: true, name: 'Our plans' })).toEqual([
      {
        type: 'personal.NavigationViewPinned',
        data: { ...data, isPinned: true },
        sealed: { fragment: plans.fragment },
      },
      { type: 'personal.NavigationViewRenamed', data, sealed: { fragment: plans.fragment, name: 'Our plans' } },
    ]);
    expect(change('inbox', { isPinned: false })).toHaveLength(1);
  });

  it('records nothing for equal values', () => {
    expect(change(plans.fragment, {})).toEqual([]);
    expect(change(plans.fragment, { isPinned: false, name: 'Plans' })).toEqual([]);
  });

  it.each<[string, string, ViewChange, string]>([
    ['a name for a built-in one', 'inbox', { name: 'Post' }, 'BAD_REQUEST'],
    ['a name for a built-in one that is not there', 'feed', { name: 'All' }, 'BAD_REQUEST'],
    ['one that is not there', 'narrow/is/dm', { isPinned: true }, 'NOT_FOUND'],
    ['a built-in one that was never changed', 'feed', { isPinned: true }, 'NOT_FOUND'],
    ['the name of another', 'narrow/is/dm', { name: 'Plans' }, 'BAD_REQUEST'],
  ])('refuses %s', (_, fragment, requested, code) => expect(refusal(() => change(fragment, requested))).toBe(code));
});

describe('the views of an account', () => {
  it('are those that were added and not removed, as they were changed', () => {
    const added = [...add('feed', null, []), ...add('narrow/is/dm', 'Private', [])];
    const [feed, dm] = given<readonly NavigationView[], NavigationEvent>(navigationAggregate, ...added);
    expect([feed?.id, dm?.id]).toEqual([1, 2]);
    const views = [feed, dm] as NavigationView[];
    const changed = changeView(views, 'narrow/is/dm', { isPinned: false, name: 'Secret' }, ME);
    const all = [...added, ...changed, ...removeView(views, 'feed', ME)];
    expect(given<readonly NavigationView[], NavigationEvent>(navigationAggregate, ...all)).toEqual([
      { id: 2, fragment: 'narrow/is/dm', name: 'Secret', isPinned: false },
    ]);
  });

  it('leave out those whose texts were erased', () => {
    const [added] = add('narrow/is/dm', 'Private');
    expect(navigationAggregate.evolve(both, { ...recorded(added!), sealed: 'erased' })).toEqual(both);
  });

  it('can be removed if they exist', () => {
    expect(removeView(both, 'inbox', ME)).toMatchObject([{ data: { viewId: 3 }, sealed: { fragment: 'inbox' } }]);
    for (const fragment of ['feed', 'narrow/is/dm'])
      expect(refusal(() => removeView(both, fragment, ME))).toBe('NOT_FOUND');
  });
});
