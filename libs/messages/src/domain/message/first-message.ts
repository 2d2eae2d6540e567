import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { FirstMessageChanged } from '../events';

/**
 * The oldest message of a channel. Its first message changes it without an event, so the state is empty: decisions about it depend
 * on the stream's version only.
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
