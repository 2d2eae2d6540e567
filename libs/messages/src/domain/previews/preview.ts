import type { FactOf, MessageId, Position } from '@annals/kernel/domain';
import { defineAggregate, defineEvent, fact, messageId, t } from '@annals/kernel/domain';

const preview = t.Object({
  /** As the text has it. */
  url: t.String(),
  title: t.String(),
  description: t.String(),
});

/**
 * Stream `preview-{message}`: the server looked at pages that a text links to. They say this about themselves. It is
 * erased with the message.
 */
export const LinksPreviewed = defineEvent('messages.LinksPreviewed', {
  data: t.Object({
    messageId,
    /** Position of the event with the text. */
    contentPosition: t.Integer({ minimum: 1 }),
  }),
  sealed: t.Object({ previews: t.Array(preview, { minItems: 1 }) }),
  subjects: (data) => [
    ['message', data.messageId],
    ['quoted', data.messageId],
  ],
});
export type LinksPreviewed = FactOf<typeof LinksPreviewed>;
export type NotedPreview = LinksPreviewed['sealed']['previews'][number];

/** Position of the newest text whose links were looked at; 0 for none. */
export const previewAggregate = defineAggregate<number, LinksPreviewed, MessageId>(
  'preview',
  0,
  (_, { data }) => data.contentPosition,
);

/** Notes what pages say. Nothing changes if they say nothing, or somebody else was faster. */
export const notePreviews = (
  state: number,
  id: MessageId,
  contentPosition: Position,
  previews: readonly NotedPreview[],
): LinksPreviewed[] =>
  previews.length === 0 || state >= contentPosition
    ? []
    : [fact(LinksPreviewed, { messageId: id, contentPosition }, { previews: [...previews] })];
