import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { FeedReader, PositionedClientEvent } from '@annals/kernel';
import type { ClientEvent, Position, UserId } from '@annals/kernel/domain';
import type { ScheduledId } from '../domain/events';
import {
  MessageScheduled,
  ReminderDeleted,
  ReminderDelivered,
  ReminderSet,
  ScheduledMessageChanged,
  ScheduledMessageDeleted,
  ScheduledMessageFailed,
  ScheduledMessageSent,
  scheduledIdAt,
} from '../domain/events';
import { showsPreviews } from '../read/list-scheduled';
import type { Shown } from '../read/present-scheduled';
import { presentAll, presentReminder, presentScheduledMessage } from '../read/present-scheduled';
import type { Planned } from '../read/scheduled-row';
import { readPlanned } from '../read/scheduled-row';

/** The payload of client events. Texts are read from the event of the log that contains them. */
type Payload =
  | { readonly op: 'add' | 'update'; readonly id: ScheduledId; readonly wordsAt: Position; readonly failed: boolean }
  | { readonly op: 'remove'; readonly id: ScheduledId };

type Type = 'scheduled_messages' | 'reminders';

const scheduledEvent = (type: Type, userId: UserId, payload: Payload): ClientEvent[] => [
  { type, audience: { kind: 'users', users: [userId] }, payload: { ...payload } },
];

/** Scheduled messages and reminders, for their owner alone (contract/scheduling.md section 7). */
export const schedulingFeed = defineFeed({
  name: 'scheduling',
  translations: [
    translate(MessageScheduled, ({ data: { userId }, position }) => {
      const id = scheduledIdAt(position);
      return scheduledEvent('scheduled_messages', userId, { op: 'add', id, wordsAt: position, failed: false });
    }),
    translate(ScheduledMessageChanged, ({ data: { userId, scheduledId: id }, position }) =>
      scheduledEvent('scheduled_messages', userId, { op: 'update', id, wordsAt: position, failed: false }),
    ),
    translate(ScheduledMessageDeleted, ({ data: { userId, scheduledId: id } }) =>
      scheduledEvent('scheduled_messages', userId, { op: 'remove', id }),
    ),
    translate(ScheduledMessageSent, ({ data: { userId, scheduledId: id } }) =>
      scheduledEvent('scheduled_messages', userId, { op: 'remove', id }),
    ),
    // There are no events for an account that is not active (contract/scheduling.md section 6).
    translate(ScheduledMessageFailed, ({ data: { userId, scheduledId: id, wordsAt, failure } }) =>
      failure === 'author'
        ? []
        : scheduledEvent('scheduled_messages', userId, {
            op: 'update',
            id,
            wordsAt: wordsAt as Position,
            failed: true,
          }),
    ),
    translate(ReminderSet, ({ data: { userId }, position }) => {
      const id = scheduledIdAt(position);
      return scheduledEvent('reminders', userId, { op: 'add', id, wordsAt: position, failed: false });
    }),
    translate(ReminderDeleted, ({ data: { userId, reminderId: id } }) =>
      scheduledEvent('reminders', userId, { op: 'remove', id }),
    ),
    translate(ReminderDelivered, ({ data: { userId, reminderId: id } }) =>
      scheduledEvent('reminders', userId, { op: 'remove', id }),
    ),
  ],
});

interface Loaded {
  readonly planned: ReadonlyMap<Position, Planned>;
  readonly look: Parameters<typeof presentReminder>[1];
}

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as Payload;

async function load({ client, realmId }: FeedReader, events: readonly PositionedClientEvent[]): Promise<Loaded> {
  const positions = events.map(payloadOf).flatMap((one) => (one.op === 'remove' ? [] : [one.wordsAt]));
  const look = { realmId, imagePreviews: await showsPreviews(client, realmId) };
  return { planned: await readPlanned(client, realmId, positions), look };
}

function shownIn(event: Exclude<Payload, { op: 'remove' }>, { planned }: Loaded) {
  const found = planned.get(event.wordsAt);
  if (!found) throw new Error(`there is no event at position ${event.wordsAt}`);
  return { id: event.id, failed: event.failed, planned: found };
}

/** Texts are rendered in time slices before, so that presenting finds their HTML. */
async function rendered(
  event: PositionedClientEvent,
  loaded: Loaded,
  present: (shown: Shown, look: Loaded['look']) => unknown,
): Promise<void> {
  const payload = payloadOf(event);
  if (payload.op === 'remove') return;
  const { look } = loaded;
  await presentAll([shownIn(payload, loaded)], `events of ${look.realmId}`, (one) => present(one, look));
}

export const scheduledMessagesPresenter = definePresenter<Loaded>({
  type: 'scheduled_messages',
  load,
  present: (event, loaded) => {
    const payload = payloadOf(event);
    const { op } = payload;
    if (op === 'remove') return [{ type: 'scheduled_messages', op, scheduled_message_id: payload.id }];
    const record = presentScheduledMessage(shownIn(payload, loaded), loaded.look);
    const shown = op === 'add' ? { scheduled_messages: [record] } : { scheduled_message: record };
    return [{ type: 'scheduled_messages', op, ...shown }];
  },
  variant: () => 'all',
  prepare: (event, loaded) => rendered(event, loaded, presentScheduledMessage),
});

export const remindersPresenter = definePresenter<Loaded>({
  type: 'reminders',
  load,
  present: (event, loaded) => {
    const payload = payloadOf(event);
    const { op } = payload;
    if (op === 'remove') return [{ type: 'reminders', op, reminder_id: payload.id }];
    return [{ type: 'reminders', op, reminders: [presentReminder(shownIn(payload, loaded), loaded.look)] }];
  },
  variant: () => 'all',
  prepare: (event, loaded) => rendered(event, loaded, presentReminder),
});
