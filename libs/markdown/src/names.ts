/** The forms of a user in a text: `@**Full Name**`, `@**Full Name|12**` or `@**|12**`. Ids have up to 15 digits. */
export type UserReference = { name: string; id?: number } | { name?: undefined; id: number };

/** The names in a text, each entry once. A superset: names inside code are listed too. */
export interface References {
  users: UserReference[];
  groups: string[];
  channels: string[];
  topics: { channel: string; topic: string }[];
  emoji: string[];
}

/** A Unicode emoji by its code (`1f642`, `0031-20e3`), or an image by a URL on this server (`/user_avatars/…`). */
export type EmojiDisplay = { code: string } | { src: string };

/** A part of a text that is a link. */
export interface LinkedPart {
  readonly begin: number;
  /** The position after it. */
  readonly end: number;
  readonly url: string;
}

/**
 * The meaning of the names in a text for its author. `undefined` for a name that means nothing to the author (unknown,
 * ambiguous, inaccessible, deactivated group): the text then remains as written. The caller decides how names are
 * compared.
 */
export interface NameLookup {
  /** With a name and an id both must fit. */
  user(reference: UserReference): { id: number; fullName: string } | undefined;
  /** `name` is the name that readers see, which is not always the written one. */
  group(name: string): { id: number; name: string } | undefined;
  channel(name: string): { id: number; name: string } | undefined;
  /** A message of the topic that the author can see. The link with it finds the topic after a move. */
  topicMessageId?(channelId: number, topic: string): number | undefined;
  /** Emoji beside those that every server has, which need no lookup. */
  emoji?(name: string): EmojiDisplay | undefined;
  /** Code of the Unicode emoji with a name. The present meaning if left out. */
  unicodeEmoji?(name: string): string | undefined;
  /** Whether `:)` is an emoji. It is text if left out. */
  readonly emoticons?: boolean;
  /** The parts of a text that linkifiers make links, in their order. @param begins whether the text begins a line */
  readonly linkedParts?: (text: string, begins: boolean) => readonly LinkedPart[];
  /** `https://chat.example.com`, the address of the organization: links to its views are relative. */
  readonly ownUrl?: string;
  /** The language of code blocks that name none. */
  readonly codeLanguage?: string;
}

/** Knows no names: every name remains as written. */
export const NO_NAMES: NameLookup = { user: () => undefined, group: () => undefined, channel: () => undefined };

/** What a page that a text links to says about itself. */
export interface LinkPreview {
  /** As the text has it. */
  readonly url: string;
  readonly title: string;
  /** Empty if the page has none. */
  readonly description: string;
}

/** An uploaded image as a text shows it. */
export interface ShownImage {
  /** Where its thumbnails are below `/user_uploads/thumbnail/{path}/`. Null while they are being made. */
  readonly thumbnail: string | null;
  /** By its bytes, null while it is not known. So are the pixels. */
  readonly contentType: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly isAnimated: boolean;
  /** The name of a large thumbnail, if browsers cannot show the original. */
  readonly transcoded?: string | undefined;
}

export interface TextOptions {
  /** `https://chat.example.com`, without a slash at the end: absolute links to uploads of this organization count as attachments. */
  realmUrl?: string;
  /** Shown for the empty topic; `general chat` when not given (contract messages section 1). */
  emptyTopicName?: string;
  /** The organization's `inline_image_preview`; true when not given. */
  imagePreviews?: boolean;
  /** Shown below the text, in this order. */
  linkPreviews?: readonly LinkPreview[];
  /**
   * The uploaded image at a path id. `undefined` for a file that is not shown. Left out, images are shown as they were
   * uploaded.
   */
  image?: (path: string) => ShownImage | undefined;
}
