import { rejection } from '@annals/kernel/domain';

const bad = (text: string) => rejection('BAD_REQUEST', text);

/** Every refusal of this context (contract/scheduling.md). */
export const reject = {
  notInTheFuture: bad('Scheduled delivery time must be in the future.'),
  unknownScheduledMessage: rejection('BAD_REQUEST', 'Scheduled message does not exist', { notFound: true }),
  alreadySent: bad('Scheduled message was already sent'),
  needsNewTime: bad('Scheduled message could not be sent: it needs a new delivery time'),
  tooManyScheduled: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `There are ${limit} scheduled messages and reminders already.`,
  ),
  nothingToChange: bad('Nothing to change'),
  typeWithoutTarget: bad("Recipient required when updating type of scheduled message: 'to' is missing"),
  channelWithoutTopic: bad('Topic required when updating scheduled message type to channel.'),
  missingTopic: bad('Missing topic'),
  invalidChannel: bad('Invalid channel: one channel ID is expected'),
  invalidPeople: bad('Invalid recipients: a list of user IDs is expected'),

  unknownReminder: rejection('BAD_REQUEST', 'Reminder does not exist', { notFound: true }),
  reminderWithoutPurpose: bad('A reminder needs a message or a note'),
  noteTooLong: rejection<{ max: number }>(
    'BAD_REQUEST',
    ({ max }) => `The note of a reminder can have ${max} characters at most`,
  ),
};
