import type { ChannelId, RealmId, UserId } from '@annals/kernel/domain';

/**
 * What stands for `%s` in the addresses at which this server receives mail. All forms of it are here, because the longest of them decides
 * how long the rest of an address may be.
 */

/** Characters that an address may have before the @ (RFC 5321, section 4.5.3.1.1). */
export const MAX_LOCAL_PART = 64;
/** Characters of a signature. Each has five bits, and nobody can guess 80. */
export const SIGNATURE_LENGTH = 16;
/** Begins addresses for mails that come back. */
const BOUNCES = 'bounces';

const RADIX = 36;
const written = (id: number): string => id.toString(RADIX);
/** Ids are those of PostgreSQL's `integer`. A greater one gets no address if it would be too long. */
const MAX_ID = 0x7fff_ffff;
const isRealm = (id: number): id is RealmId => id >= 1 && id <= MAX_ID;

const GATEWAY = 0;

/** A channel as an address names it, and who got the address. */
export interface MailedChannel {
  readonly realmId: RealmId;
  readonly channelId: ChannelId;
  readonly creatorId: UserId;
  /** Null for the bot of the gateway. */
  readonly senderId: UserId | null;
}

/** What is signed in an address of a channel. */
export const channelText = ({ realmId, channelId, creatorId, senderId }: MailedChannel): string =>
  `c${[realmId, channelId, creatorId, senderId ?? GATEWAY].map(written).join('.')}`;

// Addresses that were given earlier have a version and a longer signature.
const CHANNEL =
  /^c([\da-z]{1,6})\.([\da-z]{1,11})\.([\da-z]{1,11})\.([\da-z]{1,11})(?:\.[a-z2-7]{16}|\.1\.[a-z2-7]{26})$/;

/** What a signed `channelText` names. Null for any other text. Whether the signature is right remains to be checked. */
export function readChannel(token: string): MailedChannel | null {
  const match = CHANNEL.exec(token);
  if (!match) return null;
  const [realmId = 0, channelId = 0, creatorId = 0, senderId = 0] = match.slice(1).map((one) => parseInt(one, RADIX));
  if (!isRealm(realmId)) return null;
  return {
    realmId,
    channelId: channelId as ChannelId,
    creatorId: creatorId as UserId,
    senderId: senderId === GATEWAY ? null : (senderId as UserId),
  };
}

/** A conversation as an address names it, and who may answer there. */
export interface MailedConversation {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly kind: 'topic' | 'direct';
  /** Of the topic, or of the direct messages. */
  readonly id: number;
  /** In seconds. */
  readonly expiresAt: number;
}

/** What is signed in an address for answers. */
export const replyText = ({ realmId, userId, kind, id, expiresAt }: MailedConversation): string =>
  `r${[written(realmId), written(userId), `${kind.charAt(0)}${written(id)}`, written(expiresAt)].join('.')}`;

const REPLY = /^r([\da-z]{1,6})\.([\da-z]{1,11})\.([td])([\da-z]{1,11})\.([\da-z]{1,9})\.[a-z2-7]+$/;

/** What a signed `replyText` names, in any letter case. Null for any other text. */
export function readReply(token: string): MailedConversation | null {
  const [, realm = '', user = '', kind, id = '', expires = ''] = REPLY.exec(token.toLowerCase()) ?? [];
  const realmId = parseInt(realm, RADIX);
  if (!isRealm(realmId)) return null;
  return {
    realmId,
    userId: parseInt(user, RADIX) as UserId,
    kind: kind === 't' ? 'topic' : 'direct',
    id: parseInt(id, RADIX),
    expiresAt: parseInt(expires, RADIX),
  };
}

/** A mail as the address that it comes back to names it. */
export interface BouncedMail {
  readonly realmId: RealmId;
  /** 32 digits to the base of 16. */
  readonly token: string;
}

const HEX_DIGITS = 32;
const TOKEN_DIGITS = 25;

/** The address that a mail comes back to. */
export const bouncePart = ({ realmId, token }: BouncedMail): string =>
  `${BOUNCES}+${written(realmId)}.${rebased(token, 16, RADIX).padStart(TOKEN_DIGITS, '0')}`;

// Mails that were sent earlier have the token to the base of 16, and the organization to the base of 10.
const BOUNCE = new RegExp(`^${BOUNCES}\\+(?:([\\da-z]{1,6})\\.([\\da-z]{25})|(\\d{1,9})\\.([\\da-f]{32}))$`);

/** What a `bouncePart` names, in any letter case. Null for any other text. */
export function readBounce(part: string): BouncedMail | null {
  const [, realm, digits, formerRealm, formerToken] = BOUNCE.exec(part.toLowerCase()) ?? [];
  const realmId = formerRealm === undefined ? parseInt(realm ?? '', RADIX) : Number(formerRealm);
  const token = formerToken ?? rebased(digits ?? '', RADIX, 16).padStart(HEX_DIGITS, '0');
  return isRealm(realmId) && token.length === HEX_DIGITS ? { realmId, token } : null;
}

function rebased(digits: string, from: number, to: number): string {
  let value = 0n;
  for (const digit of digits) value = value * BigInt(from) + BigInt(parseInt(digit, from));
  return value.toString(to);
}

/** Words that somebody may add to the address of a channel, by the letters that stand for them. */
export const CHANNEL_WORDS = {
  s: 'show-sender',
  f: 'include-footer',
  q: 'include-quotes',
  h: 'prefer-html',
} as const;

const [realmId, userId] = [MAX_ID as RealmId, MAX_ID as UserId];
const channel: MailedChannel = { realmId, channelId: MAX_ID as ChannelId, creatorId: userId, senderId: userId };
const topic: MailedConversation = { realmId, userId, kind: 'topic', id: MAX_ID, expiresAt: RADIX ** 7 - 1 };
const signature = 'x'.repeat(SIGNATURE_LENGTH);
const LONGEST = [
  `${channelText(channel)}.${signature}+${Object.keys(CHANNEL_WORDS).join('')}`,
  `${replyText(topic)}.${signature}`,
  bouncePart({ realmId, token: 'f'.repeat(HEX_DIGITS) }),
];

/** Characters of the longest part, with all words in the address of a channel as letters. */
export const LONGEST_PART = Math.max(...LONGEST.map(({ length }) => length));

/** Characters that a pattern leaves for what stands for `%s`. */
export const roomIn = (pattern: string): number =>
  MAX_LOCAL_PART - (pattern.slice(0, pattern.lastIndexOf('@')).length - '%s'.length);
