import type { RealmId } from '@annals/kernel/domain';
import type { Kernel } from '@annals/kernel';
import type { AudienceRules } from './delivery/audience-rules';
import { ClientEventRows } from './delivery/client-event-rows';
import { Dispatcher } from './delivery/dispatcher';
import { Presentation } from './delivery/presentation';
import { Slots } from './delivery/slots';
import { Contacts } from './queues/contacts';
import { QueueRows } from './queues/queue-rows';
import { Register } from './register/register';
import { Checkpoints } from './translation/checkpoints';

/** Queues far behind that are served at the same time, each with a connection of the pool. */
const CATCHING_UP = 4;

export interface FeedOptions {
  readonly rules: AudienceRules;
  /** Canonical address of an organization. */
  readonly addressOf: (realmId: RealmId) => Promise<string>;
  /** `zulip_version`, `zulip_merge_base` and `zulip_feature_level`. */
  readonly version: Readonly<Record<string, unknown>>;
  /** What old clients are shown for the empty topic. */
  readonly emptyTopic: string;
}

/** What one process needs to open queues and answer their polls. */
export function openFeed(kernel: Kernel, feed: FeedOptions): { register: Register; dispatcher: Dispatcher } {
  const { database, clock, options } = kernel;
  const { log, contexts } = options;
  const { pool } = database;
  const queues = new QueueRows(pool);
  const presenters = contexts.flatMap((context) => context.presenters);
  const blocks = contexts.flatMap((context) => context.registerBlocks);
  const dispatcher = new Dispatcher({
    kernel,
    clock,
    log,
    queues,
    contacts: new Contacts(queues),
    checkpoints: new Checkpoints(pool),
    rows: new ClientEventRows(pool),
    presentation: new Presentation(presenters, feed.rules, feed.emptyTopic, pool, log),
    slots: new Slots(CATCHING_UP),
  });
  return { dispatcher, register: new Register({ ...feed, kernel, clock, queues, blocks }) };
}
