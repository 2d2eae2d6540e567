import type { Measurement } from '../harness';
import { append } from './log/append';
import { conflicts } from './log/conflicts';
import { consumers } from './feed/consumers';
import { webhooks } from './feed/webhooks';
import { cost } from './server/cost';
import { disk } from './server/disk';
import { emmett } from './baselines/emmett';
import { flags } from './server/flags';
import { http } from './server/http';
import { latency } from './server/latency';
import { messageDb } from './baselines/message-db';
import { messages } from './server/messages';
import { noisy } from './organizations/noisy';
import { organizations } from './organizations/organizations';
import { audited } from './audit/audited';
import { poison } from './log/poison';
import { polls } from './server/polls';
import { presence } from './server/presence';
import { proof } from './audit/proof';
import { push } from './server/push';
import { rawPostgres } from './baselines/raw-postgres';
import { reading } from './server/reading';
import { realms } from './log/realms';
import { rebuild } from './log/rebuild';
import { registering } from './server/registering';
import { requests } from './server/requests';
import { scim } from './provisioning/scim';
import { scheduling } from './server/scheduling';
import { search } from './server/search';
import { sharedRealms } from './log/shared-realms';
import { snapshot } from './log/snapshot';
import { stored } from './log/stored';
import { streams } from './server/streams';
import { subscriptions } from './server/subscriptions';
import { texts } from './server/texts';
import { trail } from './server/trail';
import { workers } from './server/workers';

/** All measurements, in this order: limits are beside the figures that are compared with them. */
export const MEASUREMENTS: readonly Measurement[] = [
  rawPostgres,
  append,
  emmett,
  messageDb,
  realms,
  sharedRealms,
  conflicts,
  poison,
  stored,
  snapshot,
  rebuild,
  http,
  cost,
  workers,
  disk,
  latency,
  polls,
  streams,
  presence,
  subscriptions,
  messages,
  reading,
  registering,
  flags,
  search,
  scheduling,
  trail,
  proof,
  audited,
  consumers,
  webhooks,
  texts,
  requests,
  organizations,
  noisy,
  push,
  scim,
];
