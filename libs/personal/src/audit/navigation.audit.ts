import type { EventDescription } from '@annals/kernel';
import { describeEvent, quoted, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { NavigationEvent } from '../domain/events';
import {
  NavigationViewAdded,
  NavigationViewPinned,
  NavigationViewRemoved,
  NavigationViewRenamed,
} from '../domain/events';

const fragmentOf = (event: Recorded<NavigationEvent>) => wordsOf(event, ({ fragment }) => fragment);
const viewOf = (event: Recorded<NavigationEvent>) => quoted(fragmentOf(event), 'of their own');

const added = describeEvent(NavigationViewAdded, {
  meaning: 'A user has another view in their navigation.',
  commands: ['AddNavigationView'],
  sentence: (event) => ['added the navigation view ', viewOf(event)],
  begins: (event) => [
    { property: 'name', of: event.position, after: wordsOf(event, ({ name }) => name) },
    { property: 'is_pinned', of: event.position, after: event.data.isPinned },
  ],
});

const pinned = describeEvent(NavigationViewPinned, {
  meaning: 'A user pinned a view of their navigation, or hid it in the menu.',
  commands: ['ChangeNavigationView'],
  sentence: (event) => [event.data.isPinned ? 'pinned' : 'unpinned', ' the navigation view ', viewOf(event)],
  changes: ({ data }) => [{ property: 'is_pinned', of: data.viewId, after: data.isPinned }],
});

const renamed = describeEvent(NavigationViewRenamed, {
  meaning: 'A view in the navigation of a user has another name.',
  commands: ['ChangeNavigationView'],
  sentence: (event) => [
    'renamed the navigation view ',
    viewOf(event),
    ' to ',
    quoted(
      wordsOf(event, ({ name }) => name),
      'another name',
    ),
  ],
  changes: (event) => [
    { property: 'name', of: event.data.viewId, after: wordsOf(event, ({ name }) => name), isWords: true },
  ],
});

const removed = describeEvent(NavigationViewRemoved, {
  meaning: 'A user removed a view from their navigation.',
  commands: ['RemoveNavigationView'],
  sentence: (event) => ['removed the navigation view ', viewOf(event)],
});

export const navigationDescriptions: readonly EventDescription[] = [added, pinned, renamed, removed];
