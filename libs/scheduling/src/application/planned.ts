import type { Destination, Draft } from '@annals/messages';
import type { ScheduledText } from '../domain/events';
import { othersIn } from '../domain/people';
import type { DeliveryPlan, ScheduledMessage } from '../domain/scheduled-message';

/** The stored part of a message that may be sent. */
export function plannedOf({ to, text }: Draft): Pick<DeliveryPlan, 'target' | 'words'> {
  const { content, names } = text.words;
  const words = { content, ...(names !== undefined && { names }) };
  return 'people' in to
    ? { target: { userIds: to.people }, words }
    : { target: { channelId: to.channel.channelId }, words: { ...words, topic: to.channel.name } };
}

/** The destination, as a sender names it. */
export function destinationOf(
  { target, userId }: Pick<ScheduledMessage, 'target' | 'userId'>,
  words: ScheduledText,
): Destination {
  return 'channelId' in target
    ? { channel: target.channelId, topic: words.topic ?? '' }
    : { people: othersIn(target.userIds, userId) };
}
