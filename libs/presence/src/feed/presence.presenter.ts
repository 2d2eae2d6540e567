import type { PositionedClientEvent, QueueProfile } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { UserAccessAtEvent } from '@annals/messages';
import { readUserAccessAtEvents } from '@annals/messages';
import type { UserRow } from '@annals/users';
import { emailFor, readUsers, viewerOf } from '@annals/users';
import type { CameOnline } from '../domain/presence';
import { legacyClient, modern } from '../read/present-presence';

interface Loaded {
  readonly people: ReadonlyMap<UserId, UserRow>;
  readonly access: UserAccessAtEvent;
}

const payloadOf = ({ payload }: PositionedClientEvent): CameOnline => payload as unknown as CameOnline;

/** contract/realtime.md section 8 */
export const presencePresenter = definePresenter<Loaded>({
  type: 'presence',
  load: async (reader, events, _listeners, guests) => {
    const named = [...new Set(events.map((event) => payloadOf(event).userId))];
    const rows = await readUsers(reader.client, reader.realmId, named);
    const people = new Map(rows.map((row) => [row.userId, row]));
    return { people, access: await readUserAccessAtEvents(reader, events, named, guests) };
  },
  present: (event, loaded, queue) => {
    const { at, ...presence } = payloadOf(event);
    const { userId } = presence;
    const person = loaded.people.get(userId);
    if (!person || !loaded.access(queue.userId, userId, event)) return [];
    if (queue.capabilities.simplified_presence_events) {
      return [{ type: 'presence', presences: { [userId]: modern(presence) } }];
    }
    const email = queue.slimPresence ? {} : { email: emailFor(person, viewerOf(queue, queue)) };
    const shown = { user_id: userId, server_timestamp: at / 1_000, presence: legacyClient(presence) };
    return [{ type: 'presence', ...email, ...shown }];
  },
  variant: (event, loaded, queue) => variantOf(event, loaded, queue),
});

function variantOf(event: PositionedClientEvent, { people, access }: Loaded, queue: QueueProfile): string {
  const { userId } = payloadOf(event);
  const person = people.get(userId);
  if (!person || !access(queue.userId, userId, event)) return 'none';
  if (queue.capabilities.simplified_presence_events) return 'simplified';
  return queue.slimPresence ? 'slim' : emailFor(person, viewerOf(queue, queue));
}
