import type { RegisterSnapshot } from '@annals/kernel';

type Empty = (snapshot: Pick<RegisterSnapshot, 'at'>) => Readonly<Record<string, unknown>>;

const always =
  (fields: Readonly<Record<string, unknown>>): Empty =>
  () =>
    fields;

/**
 * The state by fetch key for things that do not exist yet (contract/boot.md section 4.1). The block of a context
 * replaces it.
 */
export const EMPTY_BLOCKS: Readonly<Record<string, Empty>> = {
  onboarding_steps: always({ onboarding_steps: [], navigation_tour_video_url: null }),
  message: always({ max_message_id: -1 }),
  drafts: always({ drafts: [] }),
  presence: ({ at }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: at / 1000 }),
  realm_linkifiers: always({ realm_linkifiers: [] }),
  realm_filters: always({ realm_filters: [] }),
  realm_playgrounds: always({ realm_playgrounds: [] }),
  realm_bot: always({ realm_bots: [] }),
  realm_embedded_bots: always({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: always({ realm_incoming_webhook_bots: [] }),
  recent_private_conversations: always({ recent_private_conversations: [] }),
  unread_msgs: always({
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  }),
  starred_messages: always({ starred_messages: [] }),
  default_streams: always({ realm_default_streams: [] }),
  default_stream_groups: always({ realm_default_stream_groups: [] }),
  user_status: always({ user_status: {} }),
  video_calls: always({ has_zoom_token: false, has_webex_token: false }),
  giphy: always({ giphy_api_key: '' }),
  tenor: always({ tenor_api_key: '' }),
  klipy: always({ klipy_api_key: '' }),
  realm_billing: always({ realm_billing: { has_pending_sponsorship_request: false } }),
};
