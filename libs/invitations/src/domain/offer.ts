import type { ChannelId, GroupId, Instant, Role } from '@annals/kernel/domain';

/** What an invitation gives to the people who join by it. */
export interface InvitationOffer {
  readonly role: Role;
  readonly channelIds: readonly ChannelId[];
  /** Also the default channels of the organization, as they are when somebody joins. */
  readonly withDefaultChannels: boolean;
  readonly groupIds: readonly GroupId[];
  /** Null for the text of the organization, empty for none. */
  readonly welcomeText: string | null;
  /** Null for an invitation that does not expire. */
  readonly expiresAt: Instant | null;
}
