import type { WireEvent } from '../server/caller';
import type { ReminderRecord, Scheduled } from '../requests/scheduling';

/** A scheduled message or reminder in a client's state. */
export interface Planned {
  readonly scheduled_messages: readonly Scheduled[];
  readonly reminders: readonly ReminderRecord[];
}

/** contract/scheduling.md section 7, the messages */
export function scheduledAfter(event: WireEvent, { scheduled_messages: known }: Planned): Partial<Planned> {
  const received = event['scheduled_message'] as Scheduled;
  switch (event.op) {
    case 'add':
      return { scheduled_messages: inOrder([...known, ...(event['scheduled_messages'] as Scheduled[])], idOf) };
    case 'update':
      if (!known.some((one) => idOf(one) === idOf(received)))
        throw new Error(`received an event about an unknown message: ${idOf(received)}`);
      return { scheduled_messages: inOrder([...known.filter((one) => idOf(one) !== idOf(received)), received], idOf) };
    default:
      return { scheduled_messages: known.filter((one) => idOf(one) !== event['scheduled_message_id']) };
  }
}

/** The same for reminders, which cannot be changed. */
export function remindersAfter(event: WireEvent, { reminders: known }: Planned): Partial<Planned> {
  if (event.op === 'add') {
    return { reminders: inOrder([...known, ...(event['reminders'] as ReminderRecord[])], reminderIdOf) };
  }
  return { reminders: known.filter((one) => reminderIdOf(one) !== event['reminder_id']) };
}

const idOf = (one: Scheduled) => one.scheduled_message_id;
const reminderIdOf = (one: ReminderRecord) => one.reminder_id;

/** By time, then by id. */
function inOrder<Item extends Record<string, unknown>>(items: readonly Item[], id: (item: Item) => number): Item[] {
  const timeOf = (item: Item) => Number(item['scheduled_delivery_timestamp']);
  return [...items].sort((a, b) => timeOf(a) - timeOf(b) || id(a) - id(b));
}
