import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Recorded } from '@annals/kernel/domain';
import { PlaygroundAdded, PlaygroundRemoved } from '../domain/playgrounds/playground-events';
import { PLAYGROUNDS, playgroundsAt } from '../domain/playgrounds/playgrounds';
import { presentPlayground } from '../read/playgrounds/playgrounds';

const changed = (): ClientEvent[] => [{ type: 'realm_playgrounds', audience: { kind: 'everyone' }, payload: {} }];

/** contract/realtime.md section 6.5 */
export const playgroundsFeed = defineFeed({
  name: 'realm-playgrounds',
  translations: [translate(PlaygroundAdded, changed), translate(PlaygroundRemoved, changed)],
});

/** All playgrounds right after the change. */
export const playgroundsPresenter = definePresenter<readonly Recorded[]>({
  type: 'realm_playgrounds',
  load: ({ stream }) => stream(PLAYGROUNDS),
  present: ({ position }, events) => [
    { type: 'realm_playgrounds', realm_playgrounds: playgroundsAt(events, position).map(presentPlayground) },
  ],
  variant: () => 'all',
});
