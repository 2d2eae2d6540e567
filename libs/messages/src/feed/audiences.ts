import type { Audience, ChannelId } from '@annals/kernel/domain';
import type { Place } from '../domain/events';

export const membersOf = (channel: ChannelId): Audience => ({ kind: 'members', channel });

/** Those of `these` who are also among `those`. */
export const both = (these: Audience, those: Audience): Audience => ({
  kind: 'but',
  these,
  not: { kind: 'but', these, not: those },
});

/** Who left a private channel meanwhile reads no more of it, also where they had been called. */
export const stillReading = (those: Audience, place: Place): Audience =>
  'userIds' in place || those.kind === 'members' ? those : both(those, { kind: 'content', channel: place.channelId });
