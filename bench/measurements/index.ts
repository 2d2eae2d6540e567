import type { Measurement } from '../harness';
import { append } from './log/append';
import { conflicts } from './log/conflicts';
import { cost } from './server/cost';
import { disk } from './server/disk';
import { emmett } from './baselines/emmett';
import { http } from './server/http';
import { latency } from './server/latency';
import { messageDb } from './baselines/message-db';
import { messages } from './server/messages';
import { poison } from './log/poison';
import { polls } from './server/polls';
import { push } from './server/push';
import { rawPostgres } from './baselines/raw-postgres';
import { realms } from './log/realms';
import { rebuild } from './log/rebuild';
import { requests } from './server/requests';
import { scheduling } from './server/scheduling';
import { sharedRealms } from './log/shared-realms';
import { snapshot } from './log/snapshot';
import { stored } from './log/stored';
import { subscriptions } from './server/subscriptions';
import { texts } from './server/texts';
import { workers } from './server/workers';

/** Everything that is measured, in this order: limits stand beside what is held against them. */
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
  subscriptions,
  messages,
  scheduling,
  texts,
  requests,
  push,
];
