import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Position, Recorded, UserId } from '@annals/kernel/domain';
import type { NavigationEvent } from '../domain/events';
import {
  NavigationViewAdded,
  NavigationViewPinned,
  NavigationViewRemoved,
  NavigationViewRenamed,
} from '../domain/events';
import { presentView } from '../read/navigation-views';

/** The payload of `navigation_view` events. Texts are read from the event of the log. */
type ViewPayload =
  | { readonly op: 'add'; readonly isPinned: boolean }
  | { readonly op: 'update'; readonly isPinned?: boolean }
  | { readonly op: 'remove' };

const viewEvent = (userId: UserId, payload: ViewPayload): ClientEvent[] => [
  { type: 'navigation_view', audience: { kind: 'users', users: [userId] }, payload: { ...payload } },
];

const pinnedIn = (append: readonly Recorded[]) =>
  append.find(({ type }) => type === NavigationViewPinned.type) as Recorded<NavigationViewPinned> | undefined;

/** One change of a view is one event, also of its name and whether it is pinned (contract/navigation-snippets-domains.md section 1). */
export const navigationFeed = defineFeed({
  name: 'navigation-views',
  translations: [
    translate(NavigationViewAdded, ({ data: { userId, isPinned } }) => viewEvent(userId, { op: 'add', isPinned })),
    translate(NavigationViewPinned, ({ data: { userId, isPinned } }, _, append) =>
      append.some(({ type }) => type === NavigationViewRenamed.type)
        ? []
        : viewEvent(userId, { op: 'update', isPinned }),
    ),
    translate(NavigationViewRenamed, ({ data: { userId } }, _, append) => {
      const pinned = pinnedIn(append);
      return viewEvent(userId, { op: 'update', ...(pinned && { isPinned: pinned.data.isPinned }) });
    }),
    translate(NavigationViewRemoved, ({ data: { userId } }) => viewEvent(userId, { op: 'remove' })),
  ],
});

/** By the position of the event that contains them. Erased ones are left out. */
type Words = ReadonlyMap<Position, { readonly fragment: string; readonly name?: string | null }>;

export const navigationPresenter = definePresenter<Words>({
  type: 'navigation_view',
  load: async (reader, events) => {
    const stored = (await reader.at(events.map(({ position }) => position))) as readonly Recorded<NavigationEvent>[];
    return new Map(
      stored.flatMap(({ position, sealed }) => (sealed === 'erased' ? [] : [[position, sealed] as const])),
    );
  },
  present: ({ position, payload }, texts) => {
    const found = texts.get(position);
    if (!found) return [];
    const event = payload as unknown as ViewPayload;
    const { fragment, name } = found;
    switch (event.op) {
      case 'add': {
        const view = presentView({ fragment, name: name ?? null, isPinned: event.isPinned });
        return [{ type: 'navigation_view', op: 'add', navigation_view: view }];
      }
      case 'update': {
        const { isPinned } = event;
        const data = { ...(isPinned !== undefined && { is_pinned: isPinned }), ...(name !== undefined && { name }) };
        return [{ type: 'navigation_view', op: 'update', fragment, data }];
      }
      case 'remove':
        return [{ type: 'navigation_view', op: 'remove', fragment }];
    }
  },
  variant: () => 'all',
});
