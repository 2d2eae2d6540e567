import type { ChannelId, MessageId, Position } from '@annals/kernel/domain';

/** Whether an account is in use. A deactivated one can be reactivated, a deleted one cannot. */
export type AccountStatus =
  | { readonly kind: 'active' }
  /** @param since position of the deactivation */
  | { readonly kind: 'deactivated'; readonly since: Position }
  /** The profile was deleted: name and email of its user are not known any more. */
  | { readonly kind: 'deleted' };

export const ACTIVE: AccountStatus = { kind: 'active' };

export const isActive = ({ status }: { readonly status: AccountStatus }): boolean => status.kind === 'active';

/** The picture of an account. */
export interface Avatar {
  /** The name of its files, or of a generated picture. Null for the picture of the Gravatar service. */
  readonly file: string | null;
  readonly version: number;
}

/** The picture of a new account. */
export const FIRST_AVATAR: Avatar = { file: null, version: 1 };

/** The channels in which a bot sends and listens by default (contract/users.md section 7). */
export interface BotDefaults {
  /** For programs that send in the bot's name without naming a channel. Null for none. */
  readonly sendingChannel: ChannelId | null;
  /** Queues of the bot without a narrow receive this channel alone. Null for all. */
  readonly eventsChannel: ChannelId | null;
  /** Whether its queues receive all public channels. */
  readonly allPublicChannels: boolean;
}

export const NO_BOT_DEFAULTS: BotDefaults = { sendingChannel: null, eventsChannel: null, allPublicChannels: false };

/** Kinds of places whose messages can be deleted with an account. */
export const ORPHANED_PLACES = ['inPublicChannels', 'inPrivateChannels', 'direct'] as const;
export type OrphanedPlace = (typeof ORPHANED_PLACES)[number];

/** By kind of place, the position of the newest order to delete the messages there that the account sent before it. */
export type OrphanedBefore = Readonly<Record<OrphanedPlace, Position>>;

export const NOTHING_ORPHANED: OrphanedBefore = {
  inPublicChannels: 0 as Position,
  inPrivateChannels: 0 as Position,
  direct: 0 as Position,
};

/** The parts of a new account. */
export const FIRST_PARTS = {
  status: ACTIVE,
  avatar: FIRST_AVATAR,
  botDefaults: NO_BOT_DEFAULTS,
  orphaned: NOTHING_ORPHANED,
};

/** Which messages are orphaned after one more order. */
export function orphanedAfter(
  before: OrphanedBefore,
  { data, position }: { readonly data: Readonly<Record<OrphanedPlace, boolean>>; readonly position: Position },
): OrphanedBefore {
  const of = (kind: OrphanedPlace) => (data[kind] ? position : before[kind]);
  return { inPublicChannels: of('inPublicChannels'), inPrivateChannels: of('inPrivateChannels'), direct: of('direct') };
}

/**
 * Whether a message of the account was ordered to be deleted for good: with its profile, or by an order for places of
 * this kind. Messages that it sends after a reactivation are not.
 */
export const isOrphaned = (
  { status, orphaned }: { readonly status: AccountStatus; readonly orphaned: OrphanedBefore },
  message: MessageId,
  place: OrphanedPlace,
): boolean => status.kind === 'deleted' || (message as number) < orphaned[place];
