import { PASSWORD } from '../twin';
import type { Writes } from './write';

/** Writes about accounts, bots and programs. */
export const ACCOUNT_WRITES: Writes = {
  'POST /api/v1/users': {
    form: ({ word }) => ({ email: `new@${word}.example.com`, password: PASSWORD, full_name: `New ${word}` }),
  },
  'PATCH /api/v1/users/:user': { form: ({ word }) => ({ full_name: `Anna ${word}` }) },
  'POST /api/v1/users/:user_id/status': { form: ({ word }) => ({ status_text: `more ${word}` }) },
  'POST /api/v1/users/me/status': { form: ({ word }) => ({ status_text: `much more ${word}` }) },
  'POST /api/v1/users/me/presence': { form: () => ({ status: 'idle' }) },
  'PATCH /api/v1/settings': { form: ({ word }) => ({ full_name: `Owner ${word}` }) },
  'PATCH /api/v1/settings/display': { form: () => ({ color_scheme: 2 }) },
  'PATCH /api/v1/settings/notifications': { form: () => ({ enable_sounds: false }) },
  'PATCH /api/v1/users/me/profile_data': {
    form: ({ ids, word }) => ({ data: [{ id: ids['field'], value: `more ${word}` }] }),
  },
  'DELETE /api/v1/users/me/profile_data': { form: ({ ids }) => ({ data: [ids['field']] }) },
  'DELETE /api/v1/realm/profile_fields/:field_id': {},
  'POST /api/v1/users/me/alert_words': { form: ({ word }) => ({ alert_words: [`more ${word}`] }) },
  'DELETE /api/v1/users/me/alert_words': { form: ({ word }) => ({ alert_words: [`more ${word}`] }) },
  'POST /api/v1/users/me/avatar': { isPicture: true },
  'DELETE /api/v1/users/me/avatar': {},
  'POST /api/v1/users/me/muted_users/:muted_user_id': {},
  'DELETE /api/v1/users/me/muted_users/:muted_user_id': {},
  'POST /api/v1/users/me/onboarding_steps': { form: () => ({ onboarding_step: 'intro_resolve_topic' }) },
  'POST /api/v1/users/me/android_gcm_reg_id': { form: ({ word }) => ({ token: word }) },
  'DELETE /api/v1/users/me/android_gcm_reg_id': { form: ({ word }) => ({ token: word }) },
  'POST /api/v1/users/me/apns_device_token': { form: () => ({ token: 'ab'.repeat(32), appid: 'org.zulip.Zulip' }) },
  'DELETE /api/v1/users/me/apns_device_token': { form: () => ({ token: 'ab'.repeat(32) }) },
  'POST /api/v1/register_client_device': {},
  'POST /api/v1/mobile_push/register': {
    form: ({ ids }) => ({ device_id: ids['device'] }),
    refused: 'PUSH_SERVICE_NOT_CONFIGURED',
  },
  'POST /api/v1/mobile_push/test_notification': { refused: 'NO_ACTIVE_PUSH_DEVICE' },
  'POST /api/v1/mobile_push/e2ee/test_notification': { refused: 'NO_ACTIVE_PUSH_DEVICE' },
  'POST /api/v1/remove_client_device': { form: ({ ids }) => ({ device_id: ids['device'] }) },
  'POST /api/v1/bots': { form: ({ word }) => ({ full_name: `More ${word}`, short_name: `more-${word}`, bot_type: 1 }) },
  'PATCH /api/v1/bots/:bot_id': { form: ({ word }) => ({ full_name: `Helpful ${word}` }) },
  'PUT /api/v1/bot_storage': { form: ({ word }) => ({ storage: { more: word } }) },
  'DELETE /api/v1/bot_storage': { form: () => ({ keys: ['more'] }) },
  'POST /api/v1/users/me/api_key/regenerate': { by: 'helper' },
  'POST /api/v1/bots/:bot_id/api_key/regenerate': {},
  'DELETE /api/v1/bots/:bot_id': {},
  'POST /api/v1/feed/consumers': { form: ({ word }) => ({ name: `second-${word}`, view: 'client' }) },
  'PATCH /api/v1/feed/consumers/:name': { form: () => ({ types: ['messages.*'] }) },
  'POST /api/v1/feed/consumers/:name/ack': { form: () => ({ ids: ['none'] }), refused: 'NOT_LEASED' },
  'POST /api/v1/feed/consumers/:name/nack': {
    form: () => ({ id: 'none', action: 'park' }),
    refused: 'NOT_LEASED',
  },
  'POST /api/v1/feed/consumers/:name/parked/replay': { form: () => ({ all: true }) },
  'POST /api/v1/feed/consumers/:name/parked/skip': { form: () => ({ all: true }) },
  'PUT /api/v1/feed/consumers/:name/webhook': { form: ({ word }) => ({ url: `https://${word}.example.com/more` }) },
  'POST /api/v1/feed/consumers/:name/webhook/rotate': {},
  'POST /api/v1/feed/consumers/:name/webhook/test': { refused: 'BAD_REQUEST' },
  'DELETE /api/v1/feed/consumers/:name/webhook': {},
  'PUT /api/v1/feed/consumers/:name/sink': {
    form: () => ({ kind: 'nats', servers: '["tls://1.1.1.1"]', stream: 'chat', subject_prefix: 'chat.' }),
  },
  'DELETE /api/v1/feed/consumers/:name/sink': {},
  'POST /api/v1/feed/consumers/:name/rewind': { form: () => ({ to: 'p5' }) },
  'DELETE /api/v1/feed/consumers/:name': {},
  'POST /api/v1/provisioning/tokens': { form: ({ word }) => ({ name: `Second ${word}` }) },
  'POST /api/v1/users/:user_id/reactivate': { path: ({ ids }) => `/api/v1/users/${ids['leaver']}/reactivate` },
  'DELETE /api/v1/users/:user_id': { path: ({ ids }) => `/api/v1/users/${ids['leaver']}` },
  'DELETE /api/v1/users/me/sessions/:session_id': {},
  'DELETE /api/v1/users/me/api_keys/:key_id': {},
  'POST /api/v1/fetch_api_key': {
    form: ({ word }) => ({ username: `owner@${word}.example.com`, password: PASSWORD }),
  },
  'POST /api/v1/dev_fetch_api_key': {
    form: ({ word }) => ({ username: `owner@${word}.example.com` }),
    refused: 'BAD_REQUEST',
  },
  'POST /api/v1/jwt/fetch_api_key': { form: () => ({ token: 'none' }), refused: 'BAD_REQUEST' },
};

const SCHEMAS = 'urn:ietf:params:scim';
const PATCH_OP = [`${SCHEMAS}:api:messages:2.0:PatchOp`];
const SEARCH = { schemas: [`${SCHEMAS}:api:messages:2.0:SearchRequest`], count: 100 };

/** Writes of a directory. */
export const DIRECTORY_WRITES: Writes = {
  'POST /scim/v2/.search': { json: () => SEARCH },
  'POST /scim/v2/Users/.search': { json: () => SEARCH },
  'POST /scim/v2/Groups/.search': { json: () => SEARCH },
  'POST /scim/v2/Bulk': { json: () => ({}), refused: '501' },
  'POST /scim/v2/Me': { json: () => ({}), refused: '501' },
  'PUT /scim/v2/Me': { json: () => ({}), refused: '501' },
  'PATCH /scim/v2/Me': { json: () => ({}), refused: '501' },
  'DELETE /scim/v2/Me': { refused: '501' },
  'POST /scim/v2/Users': {
    json: ({ word }) => ({ userName: `second@${word}.example.com`, name: { formatted: `Second ${word}` } }),
  },
  'PUT /scim/v2/Users/:id': {
    json: ({ word }) => ({ userName: `pat@${word}.example.com`, name: { formatted: `Patrick ${word}` } }),
  },
  'PATCH /scim/v2/Users/:id': {
    json: ({ word }) => ({
      schemas: PATCH_OP,
      Operations: [{ op: 'replace', path: 'name.formatted', value: `Patricia ${word}` }],
    }),
  },
  'POST /scim/v2/Groups': { json: ({ word }) => ({ displayName: `Second ${word}`, members: [] }) },
  'PUT /scim/v2/Groups/:id': { json: ({ word }) => ({ displayName: `Renamed ${word}`, members: [] }) },
  'PATCH /scim/v2/Groups/:id': {
    json: ({ word }) => ({
      schemas: PATCH_OP,
      Operations: [{ op: 'replace', path: 'displayName', value: `Renamed again ${word}` }],
    }),
  },
  'DELETE /scim/v2/Groups/:id': {},
  'DELETE /scim/v2/Users/:id': {},
  'DELETE /api/v1/provisioning/tokens/:token_id': {},
};

/** What ends the account that writes. */
export const LEAVING_WRITES: Writes = {
  'DELETE /api/v1/users/me': { by: 'ann' },
};
