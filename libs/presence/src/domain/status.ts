import type { Actor, UserId, Verdict } from '@annals/kernel/domain';
import { allowedIf, defineAggregate, fact, isAdministrator, refused } from '@annals/kernel/domain';
import type { EmojiType } from '@annals/kernel/domain';
import { StatusChanged } from './events';
import { reject } from './rejections';

/** An emoji beside the name of a user. */
export interface StatusEmoji {
  readonly type: EmojiType;
  readonly code: string;
  readonly name: string;
}

/** What a user says about their day. */
export interface Status {
  /** Empty for none. */
  readonly text: string;
  readonly emoji: StatusEmoji | null;
}

export const NO_STATUS: Status = { text: '', emoji: null };
/** Characters of a text. */
export const MAX_STATUS_TEXT = 60;

/** The status of an event. */
export function statusOf({
  data,
  sealed,
}: Pick<StatusChanged, 'data'> & { sealed: StatusChanged['sealed'] | 'erased' }) {
  const { text, emojiName } = sealed === 'erased' ? { text: '', emojiName: '' } : sealed;
  return { text, emoji: data.emoji && sealed !== 'erased' ? { ...data.emoji, name: emojiName } : null };
}

export const statusAggregate = defineAggregate<Status, StatusChanged, UserId>('status', NO_STATUS, (_, event) =>
  statusOf(event),
);

/** The requested changes. A part that is left out keeps its value; a null emoji is none. */
export interface StatusChange {
  readonly text?: string | undefined;
  readonly emoji?: StatusEmoji | null | undefined;
}

/** A change that changes nothing gives no event. */
export function changeStatus(status: Status, userId: UserId, change: StatusChange): StatusChanged[] {
  const text = change.text ?? status.text;
  const emoji = change.emoji === undefined ? status.emoji : change.emoji;
  const isTextNew = text !== status.text;
  const isEmojiNew = !isSame(emoji, status.emoji);
  if (!isTextNew && !isEmojiNew) return [];
  const changed = [...(isTextNew ? (['text'] as const) : []), ...(isEmojiNew ? (['emoji'] as const) : [])];
  const shown = emoji && { type: emoji.type, code: emoji.code };
  const data = { userId, changed, hasText: text !== '', emoji: shown };
  return [fact(StatusChanged, data, { text, emojiName: emoji?.name ?? '' })];
}

const isSame = (one: StatusEmoji | null, other: StatusEmoji | null): boolean =>
  one?.type === other?.type && one?.code === other?.code && one?.name === other?.name;

/** The account whose status a request changes. */
export interface StatusOwner {
  readonly userId: UserId;
  readonly isActive: boolean;
  readonly botOwnerId: UserId | null;
}

/** Everybody changes their own status, owners that of their bots, and administrators that of everybody. */
export function mayChangeStatus(actor: Pick<Actor, 'userId' | 'role'>, owner: StatusOwner, isOwn: boolean): Verdict {
  if (isOwn) return allowedIf(actor.userId === owner.userId, reject.insufficientPermission);
  if (!isAdministrator(actor) && owner.botOwnerId !== actor.userId) return refused(reject.insufficientPermission());
  return allowedIf(owner.isActive, reject.isDeactivated);
}
