import type { Instant, RealmId } from '../domain/index';
import type { Append } from '../log/append/append';

/** An append without events and conditions. */
export const emptyAppend = (realmId: RealmId, more: Partial<Append> = {}): Append => ({
  realmId,
  actorId: null,
  commandId: '00000000-0000-4000-8000-00000000000a',
  correlation: '00000000-0000-4000-8000-00000000000b',
  causation: null,
  client: 'spec',
  at: 0 as Instant,
  events: [],
  reads: new Map(),
  guards: [],
  changes: [],
  secrets: [],
  weight: 0,
  opensRealm: false,
  ...more,
});
