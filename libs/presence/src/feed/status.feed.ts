import type { PositionedClientEvent } from '@annals/kernel';
import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { Position, Recorded, UserId } from '@annals/kernel/domain';
import type { UserAccessAtEvent } from '@annals/messages';
import { readUserAccessAtEvents } from '@annals/messages';
import { StatusChanged } from '../domain/events';
import { statusOf } from '../domain/status';

interface Loaded {
  readonly changes: ReadonlyMap<Position, Recorded<StatusChanged>>;
  readonly access: UserAccessAtEvent;
}

/** contract/realtime.md section 6.3 */
export const statusFeed = defineFeed({
  name: 'user-status',
  translations: [
    translate(StatusChanged, ({ data: { userId } }) => [
      { type: 'user_status', audience: { kind: 'everyone' }, payload: { userId } },
    ]),
  ],
});

const userOf = ({ payload }: PositionedClientEvent) => (payload as { readonly userId: UserId }).userId;

/** Writes what changed. Texts are read from the event of the log. */
export const statusPresenter = definePresenter<Loaded>({
  type: 'user_status',
  load: async (reader, events, _listeners, guests) => {
    const stored = await reader.at(events.map(({ position }) => position));
    const changes = new Map(stored.map((event) => [event.position, event as Recorded<StatusChanged>]));
    return { changes, access: await readUserAccessAtEvents(reader, events, [...new Set(events.map(userOf))], guests) };
  },
  present: (event, { changes, access }, { userId: viewer }) => {
    const changed = changes.get(event.position);
    if (!changed || !access(viewer, userOf(event), event)) return [];
    return [{ type: 'user_status', user_id: userOf(event), ...presentChange(changed) }];
  },
  variant: (event, { access }, { userId: viewer }) => String(access(viewer, userOf(event), event)),
});

/** Parts that are empty now are empty texts, with the type of a Unicode emoji. */
function presentChange(event: Recorded<StatusChanged>) {
  const { text, emoji } = statusOf(event);
  const { changed } = event.data;
  const { name, code, type } = emoji ?? { name: '', code: '', type: 'unicode_emoji' };
  return {
    ...(changed.includes('text') && { status_text: text }),
    ...(changed.includes('emoji') && { emoji_name: name, emoji_code: code, reaction_type: type }),
  };
}
