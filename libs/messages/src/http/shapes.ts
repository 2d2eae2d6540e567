import { attachmentShape } from '@annals/files/http';
import { EMOJI_TYPES, channelId, messageId, nullable, t, userId } from '@annals/kernel/domain';

const seconds = t.Integer({ description: 'UNIX seconds.' });
const html = t.String({ description: 'HTML.' });

/** One change, newest first in its list (contract/messages.md section 5.5). */
const change = t.Object({
  user_id: nullable(userId),
  timestamp: seconds,
  prev_content: t.Optional(t.String()),
  prev_rendered_content: t.Optional(html),
  prev_topic: t.Optional(t.String()),
  topic: t.Optional(t.String()),
  prev_stream: t.Optional(channelId),
  stream: t.Optional(channelId),
});

const reaction = t.Object({
  emoji_code: t.String(),
  emoji_name: t.String(),
  reaction_type: t.Union(EMOJI_TYPES.map((type) => t.Literal(type))),
  user_id: userId,
});

const submessage = t.Object({
  id: t.Integer(),
  message_id: messageId,
  sender_id: userId,
  msg_type: t.String(),
  content: t.String({ description: 'JSON text.' }),
});

/** The position of the moment that an answer is about. */
export const asOfPosition = t.Optional(t.Integer({ description: 'Only with `as_of`: the position of the moment.' }));

const common = {
  id: messageId,
  sender_id: userId,
  sender_email: t.String(),
  sender_full_name: t.String(),
  sender_realm_str: t.String(),
  avatar_url: nullable(t.String()),
  client: t.String(),
  recipient_id: t.Integer({ description: 'Of the place, the same for everybody in it.' }),
  content: t.String({ description: 'HTML, or Markdown with `apply_markdown=false`.' }),
  content_type: t.Union([t.Literal('text/html'), t.Literal('text/x-markdown')]),
  is_me_message: t.Boolean(),
  timestamp: seconds,
  topic_links: t.Array(t.Object({ text: t.String(), url: t.String() })),
  reactions: t.Array(reaction),
  submessages: t.Array(submessage),
  last_edit_timestamp: t.Optional(seconds),
  last_moved_timestamp: t.Optional(seconds),
  edit_history: t.Optional(t.Array(change)),
  flags: t.Array(t.String()),
  is_erased: t.Optional(
    t.Literal(true, { description: 'Only with `as_of`: the text was erased since, and `content` is empty.' }),
  ),
  match_content: t.Optional(
    t.String({ description: 'HTML; only where words are searched for, which are highlighted.' }),
  ),
  match_subject: t.Optional(t.String({ description: 'The topic in the same way.' })),
};

const person = t.Object({ id: userId, email: t.String(), full_name: t.String(), is_mirror_dummy: t.Boolean() });

/** A message on the wire with the flags of the user (contract/boot.md section 9). */
export const messageShape = t.Union(
  [
    t.Object({
      ...common,
      type: t.Literal('stream'),
      stream_id: channelId,
      display_recipient: t.String({ description: 'Name of the channel.' }),
      subject: t.String({ description: 'The topic.' }),
    }),
    t.Object({
      ...common,
      type: t.Literal('private'),
      display_recipient: t.Array(person),
      subject: t.Literal(''),
    }),
  ],
  { $id: 'Message' },
);

/** The answer of `GET /messages` (contract/boot.md section 10). */
export const foundShape = t.Object({
  messages: t.Array(messageShape),
  anchor: t.Optional(t.Integer({ description: 'Where the list is around; not with `message_ids`.' })),
  found_anchor: t.Boolean(),
  found_oldest: t.Boolean(),
  found_newest: t.Boolean(),
  history_limited: t.Boolean(),
  as_of_position: asOfPosition,
});

/** The answer of `GET /messages/matches_narrow`. */
export const matchesShape = t.Object({
  messages: t.Record(
    t.String(),
    t.Object({
      match_content: t.String({ description: 'HTML.' }),
      match_subject: t.String({ description: 'The topic as HTML; empty for direct messages.' }),
    }),
    { description: 'The messages that match, by id.' },
  ),
});

/** The answer to a sent message (contract/messages.md section 3). */
export const sentShape = t.Object({
  id: messageId,
  automatic_new_visibility_policy: t.Optional(
    t.Integer({ description: 'Only where the topic became unmuted (2) or followed (3) to the sender by it.' }),
  ),
});

/** The answer of `POST /messages/render`. */
export const renderedShape = t.Object({ rendered: html });

/** The answer to an edit (contract/messages.md section 5). */
export const editedShape = t.Object({
  detached_uploads: t.Array(attachmentShape, {
    description: 'Own files that no message names any more.',
  }),
});
