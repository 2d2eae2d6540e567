import type { Measurement } from '../harness';
import { append } from './append';
import { conflicts } from './conflicts';
import { cost } from './cost';
import { disk } from './disk';
import { emmett } from './emmett';
import { http } from './http';
import { latency } from './latency';
import { messageDb } from './message-db';
import { messages } from './messages';
import { poison } from './poison';
import { polls } from './polls';
import { push } from './push';
import { rawPostgres } from './raw-postgres';
import { realms } from './realms';
import { rebuild } from './rebuild';
import { requests } from './requests';
import { scheduling } from './scheduling';
import { sharedRealms } from './shared-realms';
import { snapshot } from './snapshot';
import { stored } from './stored';
import { subscriptions } from './subscriptions';
import { texts } from './texts';
import { workers } from './workers';

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
