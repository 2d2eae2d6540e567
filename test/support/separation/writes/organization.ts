import type { Writes } from './write';

/** Writes about channels, groups and the organization. */
export const ORGANIZATION_WRITES: Writes = {
  'POST /api/v1/channels/create': {
    form: ({ ids, word }) => ({ name: `new ${word}`, description: word, subscribers: [ids['ann']] }),
  },
  'PATCH /api/v1/streams/:stream_id': { form: ({ word }) => ({ description: `more ${word}` }) },
  'POST /api/v1/streams/:stream_id/delete_topic': { form: ({ word }) => ({ topic_name: `moved ${word}` }) },
  'POST /api/v1/users/me/subscriptions': {
    form: ({ ids, word }) => ({ subscriptions: [{ name: `newer ${word}` }], principals: [ids['ann']] }),
  },
  'PATCH /api/v1/users/me/subscriptions': { form: ({ word }) => ({ add: [{ name: `newest ${word}` }], delete: [] }) },
  'POST /api/v1/users/me/subscriptions/properties': {
    form: ({ ids }) => ({ subscription_data: [{ stream_id: ids['channel'], property: 'is_muted', value: true }] }),
  },
  'PATCH /api/v1/users/me/subscriptions/:stream_id': { form: () => ({ property: 'is_muted', value: false }) },
  'DELETE /api/v1/users/me/subscriptions': {
    form: ({ ids, word }) => ({ subscriptions: [word], principals: [ids['ann']] }),
  },
  'POST /api/v1/default_streams': { form: ({ ids }) => ({ stream_id: ids['channel'] }) },
  'DELETE /api/v1/default_streams': { form: ({ ids }) => ({ stream_id: ids['channel'] }) },
  'POST /api/v1/default_stream_groups/create': {
    form: ({ word }) => ({ group_name: `Second ${word}`, description: word, stream_names: [] }),
  },
  'PATCH /api/v1/default_stream_groups/:group_id': { form: ({ word }) => ({ new_description: `more ${word}` }) },
  'PATCH /api/v1/default_stream_groups/:group_id/streams': {
    form: ({ word }) => ({ op: 'add', stream_names: [word] }),
  },
  'DELETE /api/v1/default_stream_groups/:group_id': {},
  'PATCH /api/v1/channel_folders': { form: ({ ids }) => ({ order: [ids['folder']] }) },
  'POST /api/v1/channel_folders/create': { form: ({ word }) => ({ name: `Second ${word}`, description: word }) },
  'PATCH /api/v1/channel_folders/:folder_id': { form: ({ word }) => ({ description: `more ${word}` }) },
  'POST /api/v1/user_groups/create': { form: ({ word }) => ({ name: `new ${word}`, description: word, members: [] }) },
  'PATCH /api/v1/user_groups/:user_group_id': { form: ({ word }) => ({ description: `more ${word}` }) },
  'POST /api/v1/user_groups/:user_group_id/members': { form: ({ ids }) => ({ delete: [ids['ann']] }) },
  'POST /api/v1/user_groups/:user_group_id/subgroups': { form: ({ ids }) => ({ add: [ids['provisionedGroup']] }) },
  'POST /api/v1/user_groups/:user_group_id/deactivate': {},
  'PATCH /api/v1/realm': { form: ({ word }) => ({ description: `more ${word}`, waiting_period_threshold: 5 }) },
  'PATCH /api/v1/realm/user_settings_defaults': { form: () => ({ color_scheme: 2 }) },
  'POST /api/v1/realm/test_welcome_bot_custom_message': {
    form: ({ word }) => ({ welcome_message_custom_text: `welcome ${word}` }),
  },
  'POST /api/v1/realm/domains': {
    form: ({ word }) => ({ domain: `second.${word}.example.org`, allow_subdomains: true }),
  },
  'PATCH /api/v1/realm/domains/:domain': { form: () => ({ allow_subdomains: true }) },
  'DELETE /api/v1/realm/domains/:domain': {},
  'POST /api/v1/realm/emoji/:emoji_name': { path: ({ word }) => `/api/v1/realm/emoji/second-${word}`, isPicture: true },
  'DELETE /api/v1/realm/emoji/:emoji_name': {},
  'PATCH /api/v1/realm/linkifiers': { form: ({ ids }) => ({ ordered_linkifier_ids: [ids['linkifier']] }) },
  'POST /api/v1/realm/filters': {
    form: ({ word }) => ({ pattern: `#${word}(?P<id>[0-9]+)`, url_template: `https://${word}.example.com/n/{id}` }),
  },
  'PATCH /api/v1/realm/filters/:filter_id': {
    form: ({ word }) => ({ pattern: `${word}(?P<id>[0-9]+)`, url_template: `https://${word}.example.com/m/{id}` }),
  },
  'DELETE /api/v1/realm/filters/:filter_id': {},
  'POST /api/v1/realm/playgrounds': {
    form: ({ word }) => ({
      ...{ name: `more ${word}`, pygments_language: 'Ruby' },
      url_template: `https://${word}.example.com/{code}`,
    }),
  },
  'DELETE /api/v1/realm/playgrounds/:playground_id': {},
  'PATCH /api/v1/realm/profile_fields': { form: ({ ids }) => ({ order: [ids['field']] }) },
  'POST /api/v1/realm/profile_fields': { form: ({ word }) => ({ name: `More ${word}`, hint: word, field_type: 1 }) },
  'PATCH /api/v1/realm/profile_fields/:field_id': { form: ({ word }) => ({ hint: `more ${word}` }) },
  'POST /api/v1/realm/icon': { isPicture: true },
  'DELETE /api/v1/realm/icon': {},
  'POST /api/v1/realm/logo': { isPicture: true, form: () => ({ night: false }) },
  'DELETE /api/v1/realm/logo': { form: () => ({ night: false }) },
  'POST /api/v1/invites': {
    form: ({ word }) => ({ invitee_emails: `second@${word}.example.com`, stream_ids: [] }),
  },
  'POST /api/v1/invites/multiuse': { form: () => ({ invite_as: 400 }) },
  'POST /api/v1/invites/:invite_id/resend': {},
  'DELETE /api/v1/invites/:invite_id': {},
  'DELETE /api/v1/invites/multiuse/:invite_id': {},
  'DELETE /api/v1/streams/:stream_id': {},
};
