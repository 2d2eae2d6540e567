import { rejection } from '@annals/kernel/domain';

/** Most consumers of an organization, and of one account (contract/feed.md section 1). */
export const MAX_CONSUMERS = 100;
export const MAX_OWN_CONSUMERS = 20;

/** Every refusal of this context (contract/feed.md, "Errors"). */
export const reject = {
  noSuchConsumer: rejection('NO_SUCH_CONSUMER', 'No such consumer', { notFound: true }),
  nameTaken: rejection<{ name: string }>('CONSUMER_EXISTS', ({ name }) => `A consumer named '${name}' exists already`),
  tooMany: rejection<{ limit: number }>(
    'CONSUMER_LIMIT',
    ({ limit }) => `This organization has ${limit} consumers, and may have no more`,
  ),
  tooManyOwn: rejection<{ limit: number }>(
    'CONSUMER_LIMIT',
    ({ limit }) => `This account has ${limit} consumers, and may have no more`,
  ),
  noSuchSchema: rejection<{ schema: string }>('NOT_FOUND', ({ schema }) => `No schema is called '${schema}'`),
  notOwner: rejection('BAD_REQUEST', 'Only its owner may read the events of a consumer', { forbidden: true }),
  notLeased: rejection<{ ids: readonly string[] }>(
    'NOT_LEASED',
    ({ ids }) => `Not leased to this worker: ${ids.slice(0, 5).join(', ')}`,
  ),
  waitOfStream: rejection('BAD_REQUEST', 'wait does not apply to a stream'),
  badLastEventId: rejection('BAD_REQUEST', 'Last-Event-ID is not an id of an event'),
  notParked: rejection('BAD_REQUEST', 'One of these events is not parked'),
  idsOrThrough: rejection('BAD_REQUEST', "Exactly one of 'ids' and 'through' is needed"),
  idsOrAll: rejection('BAD_REQUEST', "Exactly one of 'ids' and 'all' is needed"),
  noWebhook: rejection('BAD_REQUEST', 'This consumer has no webhook'),
  hasWebhook: rejection('BAD_REQUEST', 'The events of this consumer are sent to its webhook, so they cannot be pulled'),
  badSecret: rejection('BAD_REQUEST', 'A secret is `whsec_` and the base64 of 24 to 64 bytes'),
  sameSecret: rejection('BAD_REQUEST', 'Requests are signed with this secret already'),
  badWebhookUrl: rejection('BAD_WEBHOOK_URL', 'A webhook needs the URL of a web server, without a login'),
  insecureWebhookUrl: rejection('BAD_WEBHOOK_URL', 'A webhook needs a URL that begins with https:'),
  privateWebhookUrl: rejection('BAD_WEBHOOK_URL', 'This server sends no requests to this address'),
  noSink: rejection('BAD_REQUEST', 'This consumer has no sink'),
  hasSink: rejection('BAD_REQUEST', 'The events of this consumer are stored in its sink'),
  alienPart: rejection<{ part: string; kind: string }>(
    'BAD_REQUEST',
    ({ part, kind }) => `A sink of the kind '${kind}' has no '${part}'`,
  ),
  missingPart: rejection<{ part: string; kind: string }>(
    'BAD_REQUEST',
    ({ part, kind }) => `A sink of the kind '${kind}' needs '${part}'`,
  ),
  badPart: rejection<{ part: string }>('BAD_REQUEST', ({ part }) => `Invalid ${part}`),
  credentialsInAddress: rejection<{ part: string }>(
    'BAD_REQUEST',
    ({ part }) => `'${part}' may not have credentials in it. 'credentials' names those of the server`,
  ),
  noCredentials: rejection<{ name: string }>(
    'BAD_REQUEST',
    ({ name }) => `The server has no credentials named '${name}' for these addresses`,
  ),
  privateServer: rejection<{ server: string }>('BAD_REQUEST', ({ server }) => `${server} is not a public address`),
  insecureServer: rejection<{ server: string }>('BAD_REQUEST', ({ server }) => `${server} must be encrypted`),
  alwaysWords: rejection('BAD_REQUEST', "A consumer of the view 'client' always gets what its owner may read"),
  noSuchType: rejection<{ type: string }>('BAD_REQUEST', ({ type }) => `No client event has the type '${type}'`),
};
