import { Unsubscribed } from '@annals/channels';
import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { PlacedClientEvent } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import type { LeftUnread } from '../read/left-unread';
import { readLeftUnread } from '../read/left-unread';

/** What `update_message_flags` events carry; which messages they are is read when the event is delivered. */
interface ReadPayload {
  readonly leftChannel: ChannelId;
}

/** What people left behind is read (contract/subscriptions.md section 3). */
export const flagsFeed = defineFeed({
  name: 'message-flags',
  facts: () => Promise.resolve(null),
  translations: [
    translate(Unsubscribed, ({ data: { channelId, userIds } }) => {
      const payload: ReadPayload = { leftChannel: channelId };
      return [{ type: 'update_message_flags', audience: { kind: 'users', users: userIds }, payload: { ...payload } }];
    }),
  ],
});

/** contract/messages.md section 9 and realtime.md section 6.1, `update_message_flags` */
export const flagsPresenter = definePresenter<ReadonlyMap<PlacedClientEvent, LeftUnread>>({
  type: 'update_message_flags',
  load: async ({ client, realmId }, events) => {
    const unread = new Map<PlacedClientEvent, LeftUnread>();
    for (const event of events) {
      const { leftChannel: channelId } = event.payload as unknown as ReadPayload;
      const users = event.audience.kind === 'users' ? event.audience.users : [];
      unread.set(event, await readLeftUnread(client, realmId, { channelId, users, position: event.position }));
    }
    return unread;
  },
  present: (event, unread, { userId }) => {
    const messages = unread.get(event)?.of(userId) ?? [];
    if (messages.length === 0) return [];
    return [{ type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages, all: false }];
  },
  variant: (_event, _loaded, { userId }) => String(userId),
});
