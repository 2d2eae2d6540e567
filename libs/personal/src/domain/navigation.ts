import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { NavigationEvent } from './events';
import {
  NavigationViewAdded,
  NavigationViewPinned,
  NavigationViewRemoved,
  NavigationViewRenamed,
  idAt,
} from './events';
import { reject } from './rejections';

/** A view in the menu of one account. */
export interface NavigationView {
  readonly id: number;
  /** The part after the `#` in the URL of the view. */
  readonly fragment: string;
  /** Null for built-in views. */
  readonly name: string | null;
  /** Hidden in the menu if false. */
  readonly isPinned: boolean;
}

/** Built-in views. An account stores one of them only after it has changed it. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

/** Most views of one account: its clients load all at the start. */
export const MAX_VIEWS = 200;

/** The views of one account, the oldest first. Those whose texts were erased are left out. */
export const navigationAggregate = defineAggregate<readonly NavigationView[], NavigationEvent, UserId>(
  'navigation',
  [],
  (views, event) => {
    const changed = (id: number, change: Partial<NavigationView>) =>
      views.map((view) => (view.id === id ? { ...view, ...change } : view));
    switch (event.type) {
      case 'personal.NavigationViewAdded': {
        const { data, sealed, position } = event;
        return sealed === 'erased' ? views : [...views, { id: idAt(position), isPinned: data.isPinned, ...sealed }];
      }
      case 'personal.NavigationViewPinned':
        return changed(event.data.viewId, { isPinned: event.data.isPinned });
      case 'personal.NavigationViewRenamed':
        return event.sealed === 'erased' ? views : changed(event.data.viewId, { name: event.sealed.name });
      case 'personal.NavigationViewRemoved':
        return views.filter(({ id }) => id !== event.data.viewId);
    }
  },
);

/**
 * Adds a view to the menu of an account (contract/navigation-snippets-domains.md section 1).
 *
 * @throws Rejected BAD_REQUEST for a built-in view with a name, another one without, and what the account has already
 */
export function addView(
  views: readonly NavigationView[],
  { fragment, name, isPinned }: Omit<NavigationView, 'id'>,
  userId: UserId,
): NavigationViewAdded[] {
  ensureName(fragment, name);
  if (!BUILT_IN.has(fragment) && name === null) throw reject.viewWithoutName();
  if (views.some((view) => view.fragment === fragment)) throw reject.viewExists();
  ensureFree(views, fragment, name);
  if (views.length >= MAX_VIEWS) throw reject.tooManyViews({ limit: MAX_VIEWS });
  return [fact(NavigationViewAdded, { userId, isPinned }, { fragment, name })];
}

/** The requested changes. A property that is left out keeps its value. */
export interface ViewChange {
  readonly isPinned?: boolean | undefined;
  readonly name?: string | undefined;
}

/**
 * INTERFACE.md 4.15. Equal values give no event.
 *
 * @throws Rejected BAD_REQUEST for a built-in view with a name and for a name of another view, NOT_FOUND
 */
export function changeView(
  views: readonly NavigationView[],
  fragment: string,
  { isPinned, name }: ViewChange,
  userId: UserId,
): (NavigationViewPinned | NavigationViewRenamed)[] {
  ensureName(fragment, name ?? null);
  ensureFree(views, fragment, name ?? null);
  const view = found(views, fragment);
  const events: (NavigationViewPinned | NavigationViewRenamed)[] = [];
  if (isPinned !== undefined && isPinned !== view.isPinned) {
    events.push(fact(NavigationViewPinned, { userId, viewId: view.id, isPinned }, { fragment }));
  }
  if (name !== undefined && name !== view.name) {
    events.push(fact(NavigationViewRenamed, { userId, viewId: view.id }, { fragment, name }));
  }
  return events;
}

/** @throws Rejected NOT_FOUND */
export function removeView(
  views: readonly NavigationView[],
  fragment: string,
  userId: UserId,
): NavigationViewRemoved[] {
  return [fact(NavigationViewRemoved, { userId, viewId: found(views, fragment).id }, { fragment })];
}

function ensureName(fragment: string, name: string | null): void {
  if (BUILT_IN.has(fragment) && name !== null) throw reject.builtInWithName();
}

/** A name is used for one view only. */
function ensureFree(views: readonly NavigationView[], fragment: string, name: string | null): void {
  const isOfAnother = (view: NavigationView) => view.name === name && view.fragment !== fragment;
  if (name !== null && views.some(isOfAnother)) throw reject.viewExists();
}

function found(views: readonly NavigationView[], fragment: string): NavigationView {
  const view = views.find((one) => one.fragment === fragment);
  if (!view) throw reject.noSuchView();
  return view;
}
