import { rfc3339 } from '@annals/audit';
import { Kernel } from '@annals/kernel';
import type { Actor, Instant, Position } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { manages } from '../domain/consumer';
import { ConsumerFacts } from './consumer-facts';
import { ConsumerRights } from './consumer-rights';
import type { ConsumerRow } from './consumer-row';
import type { ConsumerProgress, ConsumerStatus } from './consumer-progress';
import { readProgress } from './consumer-progress';

/** Consumers as those who manage them see them (contract/feed.md section 2). */
@Injectable()
export class ShownConsumers {
  constructor(
    private readonly kernel: Kernel,
    private readonly consumers: ConsumerFacts,
    private readonly rights: ConsumerRights,
  ) {}

  /** @throws Rejected NO_SUCH_CONSUMER */
  async one(by: Actor, name: string) {
    const [shown] = await this.shown(by, [await this.consumers.managed(by, name)]);
    return shown;
  }

  /** Those that the account manages, in the order of their creation. */
  async all(by: Actor) {
    const all = await this.consumers.all(by.realmId);
    return this.shown(
      by,
      all.filter((consumer) => manages(by, consumer)),
    );
  }

  private async shown({ realmId }: Actor, consumers: readonly ConsumerRow[]) {
    const { events, database, clock } = this.kernel;
    const head = (await events.heads([realmId])).get(realmId) ?? (0 as Position);
    const progress = await readProgress(database.pool, realmId, consumers, head);
    const now = clock.now();
    return Promise.all(
      consumers.map(async (consumer) => {
        const its = progress.get(consumer.id) ?? NOTHING;
        return presentConsumer(consumer, its, await this.standing(consumer, its), head, now);
      }),
    );
  }

  private async standing(consumer: ConsumerRow, { parked, failingSince }: ConsumerProgress): Promise<ConsumerStatus> {
    if (!(await this.rights.reader(consumer))) return 'refused';
    if (consumer.isPaused) return 'paused';
    return parked > 0 || failingSince !== null ? 'failing' : 'active';
  }
}

const NOTHING: ConsumerProgress = {
  position: 0 as Position,
  lagEvents: 0,
  oldest: null,
  inFlight: 0,
  parked: 0,
  failingSince: null,
};

/** contract/feed.md section 2 */
const presentConsumer = (
  { name, ownerId, view, types, subjects, words, createdAt, webhook, sink }: ConsumerRow,
  { position, lagEvents, oldest, inFlight, parked }: ConsumerProgress,
  state: ConsumerStatus,
  head: Position,
  now: Instant,
) => ({
  name,
  owner_id: ownerId,
  view,
  types,
  subjects,
  words,
  state,
  position,
  head,
  lag: { events: lagEvents, seconds: oldest === null ? 0 : Math.max(0, Math.floor((now - oldest) / 1_000)) },
  in_flight: inFlight,
  parked,
  delivery: webhook ? ('webhook' as const) : sink ? ('sink' as const) : ('pull' as const),
  created_at: rfc3339(createdAt),
});
