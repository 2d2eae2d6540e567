import { defineProjection, on } from '@annals/kernel';
import { ProfileDeleted } from '@annals/users';
import {
  NavigationViewAdded,
  NavigationViewPinned,
  NavigationViewRemoved,
  NavigationViewRenamed,
  idAt,
} from '../domain/events';

/** The menus of all accounts. */
export const navigationViewsView = defineProjection({
  name: 'navigation_views',
  version: 2,
  lifecycle: 'inline',
  tables: {
    navigation_views: {
      columns: {
        user_id: 'int8',
        view_id: 'int8',
        /** Null once it was erased. */
        fragment: 'text',
        name: 'text',
        is_pinned: 'bool',
      },
      key: ['user_id', 'view_id'],
      sealed: ['fragment', 'name'],
      changesOften: true,
    },
  },
  handlers: [
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('navigation_views', { user_id: userId })),
    on(NavigationViewAdded, ({ data, sealed, position }, rows) => {
      const { fragment, name } = sealed === 'erased' ? { fragment: null, name: null } : sealed;
      const key = { user_id: data.userId, view_id: idAt(position) };
      rows.insert('navigation_views', { ...key, fragment, name, is_pinned: data.isPinned });
    }),
    on(NavigationViewPinned, ({ data: { userId, viewId, isPinned } }, rows) =>
      rows.update('navigation_views', { user_id: userId, view_id: viewId }, { is_pinned: isPinned }),
    ),
    on(NavigationViewRenamed, ({ data: { userId, viewId }, sealed }, rows) => {
      const name = sealed === 'erased' ? null : sealed.name;
      rows.update('navigation_views', { user_id: userId, view_id: viewId }, { name });
    }),
    on(NavigationViewRemoved, ({ data: { userId, viewId } }, rows) =>
      rows.delete('navigation_views', { user_id: userId, view_id: viewId }),
    ),
  ],
});
