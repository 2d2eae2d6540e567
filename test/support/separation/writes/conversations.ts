import type { Writes } from './write';

/** Writes about messages and what people keep for themselves. */
export const CONVERSATION_WRITES: Writes = {
  'POST /api/v1/messages': {
    form: ({ ids, word }) => ({ type: 'channel', to: ids['channel'], topic: word, content: `more ${word}` }),
  },
  'POST /api/v1/messages/render': { form: ({ word }) => ({ content: `**${word}**` }) },
  'POST /api/v1/messages/flags': { form: ({ ids }) => ({ messages: [ids['message']], op: 'add', flag: 'starred' }) },
  'POST /api/v1/messages/flags/narrow': {
    form: ({ word }) => ({
      ...{ anchor: 'newest', num_before: 10, num_after: 0, op: 'add', flag: 'starred' },
      narrow: [{ operator: 'channel', operand: word }],
    }),
  },
  'POST /api/v1/messages/:message_id/reactions': { form: () => ({ emoji_name: 'tada' }) },
  'DELETE /api/v1/messages/:message_id/reactions': { form: () => ({ emoji_name: 'tada' }) },
  'POST /api/v1/messages/:message_id/report': {
    form: ({ word }) => ({ report_type: 'spam', description: word }),
    refused: 'BAD_REQUEST',
  },
  'POST /api/v1/messages/:message_id/typing': { form: () => ({ op: 'start' }) },
  'POST /api/v1/typing': { form: ({ ids }) => ({ op: 'start', type: 'direct', to: [ids['ann']] }) },
  'POST /api/v1/submessage': {
    form: ({ ids }) => ({
      ...{ message_id: ids['poll'], msg_type: 'widget' },
      content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
    }),
  },
  'PATCH /api/v1/messages/:message_id': { form: ({ word }) => ({ content: `edited ${word}` }) },
  'POST /api/v1/mark_topic_as_read': { form: ({ ids, word }) => ({ stream_id: ids['channel'], topic_name: word }) },
  'POST /api/v1/mark_stream_as_read': { form: ({ ids }) => ({ stream_id: ids['channel'] }) },
  'POST /api/v1/mark_all_as_read': {},
  'POST /api/v1/user_topics': {
    form: ({ ids, word }) => ({ stream_id: ids['channel'], topic: word, visibility_policy: 1 }),
  },
  'PATCH /api/v1/users/me/subscriptions/muted_topics': {
    form: ({ ids, word }) => ({ stream_id: ids['channel'], topic: word, op: 'remove' }),
  },
  'POST /api/v1/drafts': {
    form: ({ ids, word }) => ({ drafts: [{ type: 'private', to: [ids['ann']], topic: '', content: word }] }),
  },
  'PATCH /api/v1/drafts/:draft_id': {
    form: ({ ids, word }) => ({ draft: { type: 'private', to: [ids['ann']], topic: '', content: `more ${word}` } }),
  },
  'DELETE /api/v1/drafts/:draft_id': {},
  'POST /api/v1/saved_snippets': { form: ({ word }) => ({ title: word, content: word }) },
  'PATCH /api/v1/saved_snippets/:saved_snippet_id': { form: ({ word }) => ({ title: `more ${word}` }) },
  'DELETE /api/v1/saved_snippets/:saved_snippet_id': {},
  'POST /api/v1/scheduled_messages': {
    form: ({ ids, word, server }) => ({
      ...{ type: 'direct', to: [ids['ann']], content: `soon ${word}` },
      scheduled_delivery_timestamp: Math.floor(server.clock.now() / 1000) + 7_200,
    }),
  },
  'PATCH /api/v1/scheduled_messages/:scheduled_message_id': { form: ({ word }) => ({ content: `latest ${word}` }) },
  'DELETE /api/v1/scheduled_messages/:scheduled_message_id': {},
  'POST /api/v1/reminders': {
    form: ({ ids, word, server }) => ({
      ...{ message_id: ids['message'], note: word },
      scheduled_delivery_timestamp: Math.floor(server.clock.now() / 1000) + 7_200,
    }),
  },
  'DELETE /api/v1/reminders/:reminder_id': {},
  'POST /api/v1/navigation_views': {
    form: ({ word }) => ({ fragment: `narrow/is/${word}`, is_pinned: true, name: `more ${word}` }),
  },
  'PATCH /api/v1/navigation_views/*fragment': { form: ({ word }) => ({ name: `most ${word}` }) },
  'DELETE /api/v1/navigation_views/*fragment': {},
  'POST /api/v1/user_uploads': { isPicture: true },
  'DELETE /api/v1/attachments/:attachment_id': {},
  'POST /api/v1/external/:integration': {
    path: ({ credentials }) => `/api/v1/external/json?api_key=${credentials.get('hook')?.key ?? ''}`,
    json: ({ word }) => ({ told: word }),
  },
  'POST /api/v1/audit/undo': {
    form: ({ ids }) => ({ position: ids['message'], dry_run: true }),
    refused: 'CANNOT_BE_UNDONE',
  },
  'DELETE /api/v1/messages/:message_id': {},
  'POST /api/v1/register': {},
  'DELETE /api/v1/events': { form: ({ names }) => ({ queue_id: names['queue'] }) },
};
