import type { Static, TObject } from '@annals/kernel/domain';
import { fileId, groupId, t, userId } from '@annals/kernel/domain';

/**
 * Of an event with texts: the organization's language when they were written, such as `de`. Left out for English.
 * Search finds stems by it.
 */
export const language = t.Optional(t.String());

/** Facts about a text for later rules and views, so that a replay gives the same rows after the text is erased. */
export const contentFacts = {
  mentions: t.Object({
    /** Mentioned users who can read the message. */
    userIds: t.Array(userId),
    groupIds: t.Array(groupId),
    channelWildcard: t.Boolean(),
    topicWildcard: t.Boolean(),
    /** Of a topic wildcard: the participants of the topic when the text was written, with its author. */
    participantIds: t.Optional(t.Array(userId)),
    /** Users who had an alert word in the text when it was written, ascending. Left out when there is none. */
    alertedIds: t.Optional(t.Array(userId)),
  }),
  hasLink: t.Boolean(),
  hasImage: t.Boolean(),
  hasAttachment: t.Boolean(),
  isMe: t.Boolean(),
  /**
   * Uploaded files that it links to, ascending, without files to which its author had no access. Left out when there is
   * none.
   */
  files: t.Optional(t.Array(fileId)),
  language,
};

export type MessageContentFacts = Static<TObject<typeof contentFacts>>;

export const NO_MENTIONS: MessageContentFacts['mentions'] = {
  userIds: [],
  groupIds: [],
  channelWildcard: false,
  topicWildcard: false,
};

/** What is so of most texts, and therefore not stored. */
export const contentDefaults = {
  mentions: NO_MENTIONS,
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMe: false,
};
