/** How a text names a person: `@**Full Name**`, `@**Full Name|12**` or `@**|12**`. Ids have up to 15 digits. */
export type UserReference = { name: string; id?: number } | { name?: undefined; id: number };

/** What a text refers to by name, each entry once. A superset: names inside code are listed too. */
export interface References {
  users: UserReference[];
  groups: string[];
  channels: string[];
  topics: { channel: string; topic: string }[];
  emoji: string[];
}

/** A Unicode emoji by its code (`1f642`, `0031-20e3`), or an image by a URL on this server (`/user_avatars/…`). */
export type EmojiLook = { code: string } | { src: string };

/**
 * What the names in a text mean to its author. `undefined` says that there is no such thing for the author (unknown,
 * ambiguous, inaccessible, deactivated group): the text then stays as written. Names are compared as the caller wishes.
 */
export interface NameLookup {
  /** With a name and an id both must fit. */
  user(reference: UserReference): { id: number; fullName: string } | undefined;
  /** `name` is what readers see: for a system group its description. */
  group(name: string): { id: number; name: string } | undefined;
  channel(name: string): { id: number; name: string } | undefined;
  /** A message of the topic that the author can see; links with it survive moves of the topic. */
  topicMessageId?(channelId: number, topic: string): number | undefined;
  /** Emoji beside those that every server has, which need no lookup. */
  emoji?(name: string): EmojiLook | undefined;
}

/** Knows nobody: every name stays as written. */
export const NO_NAMES: NameLookup = { user: () => undefined, group: () => undefined, channel: () => undefined };

export interface TextOptions {
  /** `https://chat.example.com`, without a slash at the end: absolute links to uploads of this organization count as attachments. */
  realmUrl?: string;
  /** Shown for the empty topic; `general chat` when not given (contract messages section 1). */
  emptyTopicName?: string;
  /** The organization's `inline_image_preview`; true when not given. */
  imagePreviews?: boolean;
}
