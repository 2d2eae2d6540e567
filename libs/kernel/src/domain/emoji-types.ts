/** Namespaces of emoji codes, for reactions and for statuses. */
export const EMOJI_TYPES = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;
export type EmojiType = (typeof EMOJI_TYPES)[number];
