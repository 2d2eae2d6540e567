import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { FirstMessageChanged } from '../events';

/**
 * Which message of a channel is its oldest. The first one of all is that silently, so the events alone do not tell; they
 * are what decisions about it rest on.
 */
export const firstMessageAggregate = defineAggregate<null, FirstMessageChanged, ChannelId>(
  'first-message',
  null,
  () => null,
);

/** @param messageId null when no message is left */
export const changeFirstMessage = (channelId: ChannelId, messageId: MessageId | null): FirstMessageChanged[] => [
  fact(FirstMessageChanged, { channelId, messageId }),
];
