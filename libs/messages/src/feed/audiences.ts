import type { Audience, ChannelId, Position } from '@annals/kernel/domain';
import type { Recipients } from '../read/history/recipients';

export const membersOf = (channel: ChannelId): Audience => ({ kind: 'members', channel });

/** Those of `these` who are also among `those`. The first are stored once: they may be the holders of 50,000 messages. */
export const intersection = (these: Audience, those: Audience): Audience => ({
  kind: 'but',
  these: those,
  not: { kind: 'but', these: those, not: these },
});

/** Subscribers of a channel, and those of others who read it. */
export const subscribersAndReadersAmong = (channel: ChannelId, others: Audience): Audience => ({
  kind: 'any',
  of: [membersOf(channel), intersection(others, { kind: 'content', channel })],
});

/** Whom messages concern, and who was subscribed to the channels that they were sent to when they were. */
export const recipientsAudience = ({ users: concerned, sentTo }: Recipients): Audience => ({
  kind: 'any',
  of: [
    { kind: 'users', users: concerned },
    ...[...sentTo].map(([channel, ids]): Audience => {
      return { kind: 'members-at', channel, positions: ids as readonly number[] as readonly Position[] };
    }),
  ],
});
