/**
 * The state by fetch key for things that do not exist yet (contract/boot.md section 4.1). The block of a context
 * replaces it.
 */
export const EMPTY_BLOCKS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  message: { max_message_id: -1 },
  realm_filters: { realm_filters: [] },
  realm_bot: { realm_bots: [] },
  recent_private_conversations: { recent_private_conversations: [] },
  unread_msgs: {
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  },
  starred_messages: { starred_messages: [] },
  default_streams: { realm_default_streams: [] },
  video_calls: { has_zoom_token: false, has_webex_token: false },
  giphy: { giphy_api_key: '' },
  tenor: { tenor_api_key: '' },
  klipy: { klipy_api_key: '' },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
};
