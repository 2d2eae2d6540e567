import type { Audience, ChannelId, Position } from '@annals/kernel/domain';
import type { Recipients } from '../read/history/recipients';

export const membersOf = (channel: ChannelId): Audience => ({ kind: 'members', channel });

/** Users in both audiences. `these` is stored once: it may be the recipients of 50,000 messages. */
export const intersection = (these: Audience, those: Audience): Audience => ({
  kind: 'but',
  these: those,
  not: { kind: 'but', these: those, not: these },
});

/** Subscribers of a channel, and those of others who can read it. */
export const subscribersAndReadersAmong = (channel: ChannelId, others: Audience): Audience => ({
  kind: 'any',
  of: [membersOf(channel), intersection(others, { kind: 'content', channel })],
});

/** Senders and mentioned users of messages, and users who were subscribed to their channels when they were sent. */
export const recipientsAudience = ({ users: concerned, sentTo }: Recipients): Audience => ({
  kind: 'any',
  of: [
    { kind: 'users', users: concerned },
    ...[...sentTo].map(([channel, ids]): Audience => {
      return { kind: 'members-at', channel, positions: ids as readonly number[] as readonly Position[] };
    }),
  ],
});
