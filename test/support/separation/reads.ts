import type { Params } from '../server/caller';
import type { Twin } from './twin';

/** Parameters of the endpoints that read, by path. Those that are not here need none. */
export const QUERIES: Readonly<Record<string, (twin: Twin) => Params>> = {
  '/api/v1/audit/events': () => ({ limit: 1_000 }),
  '/api/v1/audit/positions': () => ({ position: 10 }),
  '/api/v1/audit/proofs/consistency': () => ({ from: 5 }),
  '/api/v1/audit/proofs/inclusion': () => ({ position: 5 }),
  '/api/v1/events': ({ names }) => ({ queue_id: names['queue'], last_event_id: -1, dont_block: true }),
  '/api/v1/get_stream_id': ({ word }) => ({ stream: word }),
  '/api/v1/messages': () => ({ anchor: 'newest', num_before: 100, num_after: 0 }),
  '/api/v1/messages/matches_narrow': ({ ids, word }) => ({
    msg_ids: [ids['message'], ids['direct']],
    narrow: [{ operator: 'search', operand: word }],
  }),
  '/api/v1/realm/logo': () => ({ night: false }),
  '/api/v1/streams': () => ({ include_all: true }),
  '/scim/v2/Users': ({ word }) => ({ filter: `userName eq "pat@${word}.example.com"` }),
};

const SIGN_ON = 'no other system logs anybody in';

/** Endpoints that read and refuse here, each with the reason. All others have to answer to who may ask. */
export const REFUSED: Readonly<Record<string, string>> = {
  'GET /accounts/login/social/:kind': SIGN_ON,
  'GET /accounts/login/social/:kind/:provider': SIGN_ON,
  'GET /accounts/login/sso/': SIGN_ON,
  'GET /accounts/login/subdomain/:token': SIGN_ON,
  'GET /accounts/register/social/:kind': SIGN_ON,
  'GET /accounts/register/social/:kind/:provider': SIGN_ON,
  'GET /api/v1/dev_list_users': 'only a server of developers lists them',
  'GET /api/v1/feed/consumers/:name/sink': 'the consumer has a webhook',
  'GET /complete/oidc/': SIGN_ON,
  'GET /complete/saml/continue': SIGN_ON,
  'GET /operations/queues': 'it is for owners of the first organization',
  'GET /register': 'people need an invitation',
  'GET /saml/metadata.xml': SIGN_ON,
  'GET /scim/v2/Me': 'a token belongs to no person',
  'GET /unsubscribe/:token': 'it needs a token of a mail, as in tokens.spec.ts',
};
