import type { Actor, GroupSetting, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact, isAdministrator, permits } from '@annals/kernel/domain';
import type { EmojiEvent } from './emoji-events';
import { EmojiAdded, EmojiDeactivated } from './emoji-events';
import { reject } from './rejections';

/** A custom emoji as rules need it. Null before it is added. */
export interface CustomEmojiState {
  readonly authorId: UserId;
  readonly isDeactivated: boolean;
}

export const emojiAggregate = defineAggregate<CustomEmojiState | null, EmojiEvent>('emoji', null, (state, event) => {
  switch (event.type) {
    case 'realm.EmojiAdded':
      return { authorId: event.data.authorId, isDeactivated: false };
    case 'realm.EmojiDeactivated':
      return state && { ...state, isDeactivated: true };
  }
});

/** Longer names cannot be written between colons. */
const MAX_NAME_LENGTH = 60;

/**
 * The stored form of a name: blanks become underscores.
 *
 * @throws Rejected BAD_REQUEST for a name that cannot be written between colons (contract/messages.md section 7)
 */
export function emojiName(written: string): string {
  const name = written.trim().replaceAll(' ', '_');
  if (name === '') throw reject.emojiNameMissing();
  if (!/^[a-z0-9_-]+$/.test(name)) throw reject.emojiNameCharacters();
  if (/[_-]$/.test(name)) throw reject.emojiNameEnd();
  if (name.length > MAX_NAME_LENGTH) throw reject.emojiNameTooLong();
  return name;
}

export interface NewEmoji {
  readonly emojiId: number;
  readonly name: string;
  readonly file: string;
  /** Size of the image in bytes. */
  readonly size: number;
  /** Of the still image of an animated one. */
  readonly stillFile?: string;
  readonly stillSize?: number;
}

/** The facts for adding an emoji. */
export interface EmojiRules {
  readonly canAdd: GroupSetting;
  /** An active custom emoji has the name. */
  readonly isTaken: boolean;
  /** An emoji that every server has is named like this. */
  readonly isBuiltIn: boolean;
}

/** @throws Rejected BAD_REQUEST (contract/messages.md section 7) */
export function addEmoji({ name, ...data }: NewEmoji, by: Actor, rules: EmojiRules): EmojiAdded[] {
  if (!permits(rules.canAdd, by, { guests: false })) throw reject.mayNotAddEmoji();
  if (rules.isTaken) throw reject.emojiNameTaken();
  if (rules.isBuiltIn && !isAdministrator(by)) throw reject.mayNotOverrideEmoji();
  return [fact(EmojiAdded, { ...data, authorId: by.userId }, { name })];
}

/** @throws Rejected BAD_REQUEST for all but administrators and its author */
export function deactivateEmoji(
  state: CustomEmojiState | null,
  emojiId: number,
  by: Pick<Actor, 'userId' | 'role'>,
): EmojiDeactivated[] {
  if (!state || state.isDeactivated) throw reject.noSuchEmoji();
  if (state.authorId !== by.userId && !isAdministrator(by)) throw reject.notTheEmojiAuthor();
  return [fact(EmojiDeactivated, { emojiId })];
}
