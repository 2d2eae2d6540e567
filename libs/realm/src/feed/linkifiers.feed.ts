import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Recorded } from '@annals/kernel/domain';
import {
  LinkifierAdded,
  LinkifierChanged,
  LinkifierRemoved,
  LinkifiersReordered,
} from '../domain/linkifiers/linkifier-events';
import { LINKIFIERS, linkifiersAt } from '../domain/linkifiers/linkifiers';
import { presentLinkifier } from '../read/linkifiers/linkifiers';

const changed = (): ClientEvent[] => [{ type: 'realm_linkifiers', audience: { kind: 'everyone' }, payload: {} }];

/** contract/realtime.md section 6.5 */
export const linkifiersFeed = defineFeed({
  name: 'realm-linkifiers',
  translations: [
    translate(LinkifierAdded, changed),
    translate(LinkifierChanged, changed),
    translate(LinkifierRemoved, changed),
    translate(LinkifiersReordered, changed),
  ],
});

/** All linkifiers right after the change, for clients that know URL templates (contract/realtime.md section 2.1). */
export const linkifiersPresenter = definePresenter<readonly Recorded[]>({
  type: 'realm_linkifiers',
  load: ({ stream }) => stream(LINKIFIERS),
  present: ({ position }, events, { capabilities }) => {
    if (!capabilities.linkifier_url_template) return [];
    return [{ type: 'realm_linkifiers', realm_linkifiers: linkifiersAt(events, position).map(presentLinkifier) }];
  },
  variant: (_event, _events, { capabilities }) => String(capabilities.linkifier_url_template),
});
