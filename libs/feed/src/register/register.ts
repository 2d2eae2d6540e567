import { randomUUID } from 'node:crypto';
import type { Actor, Clock, RealmId } from '@annals/kernel/domain';
import type { Kernel, RegisterBlock, RegisterOptions } from '@annals/kernel';
import type { SignalCursors } from '../delivery/polls/signal-cursors';
import type { QueueRows } from '../queues/queue-rows';
import type { QueueWish } from '../queues/client-queue';
import { isGuest } from '@annals/kernel/domain';
import { lastLoggedId } from '../domain/event-id';
import { fetchedKeys } from '../domain/fetch-keys';
import { reject } from '../domain/rejections';
import { readState } from './read-state';
import { RecentlyUsed } from './recently-used';

/** POST /register as it was asked (contract/realtime.md section 2). */
export interface Registration extends Omit<QueueWish, 'keyId'> {
  readonly fetchEventTypes: readonly string[] | null;
  readonly presenceHistoryLimitDays: number;
  /** Seconds; echoed, and less than a queue really lives. */
  readonly idleQueueTimeout: number;
}

/** What the parts of the state depend on that is the same for all clients. */
export type ServerFeatures = Pick<
  RegisterOptions,
  'webPublicChannels' | 'maxUploadMib' | 'uploadQuotaMib' | 'pushNotifications'
>;

export interface RegisterParts {
  readonly kernel: Pick<Kernel, 'snapshot'>;
  readonly clock: Clock;
  readonly queues: QueueRows;
  readonly signalCursors: Pick<SignalCursors, 'onRegister'>;
  readonly blocks: readonly RegisterBlock[];
  /** What this server says it is. */
  readonly version: Readonly<Record<string, unknown>>;
  /** Canonical address of an organization. */
  readonly addressOf: (realmId: RealmId) => Promise<string>;
  /** What the server allows its organizations. */
  readonly features: ServerFeatures;
}

/** Opens client queues. */
export class Register {
  private readonly memory = new RecentlyUsed();

  constructor(private readonly parts: RegisterParts) {}

  /**
   * Reads the state in one snapshot together with the realm's head, and stores a queue that begins right after it: what
   * the client has and what it will be told agree by construction.
   *
   * @returns the fields of the answer
   * @throws Rejected when a guest asks for all public channels
   */
  async open(by: Actor, registration: Registration): Promise<Record<string, unknown>> {
    const { fetchEventTypes, presenceHistoryLimitDays, idleQueueTimeout, ...wish } = registration;
    if (wish.allPublicStreams && isGuest(by)) throw reject.notForGuests();
    const { kernel, clock, queues, signalCursors, blocks, version, addressOf, features } = this.parts;
    const { realmId } = by;
    const at = clock.now();
    const opened = signalCursors.onRegister();
    const options = { ...wish, ...features, presenceHistoryLimitDays, url: await addressOf(realmId) };
    const wants = fetchedKeys({ eventTypes: wish.eventTypes, fetchEventTypes });
    const { position, state } = await kernel.snapshot(realmId, async (client, head) => {
      const snapshot = { client, realmId, position: head, at, memory: this.memory };
      return { position: head, state: await readState(blocks, snapshot, by, options, wants) };
    });
    const id = randomUUID();
    await queues.insert(realmId, id, by.userId, position, { ...wish, keyId: by.keyId ?? null }, at);
    const last = lastLoggedId(position);
    opened(id, last);
    return {
      queue_id: id,
      last_event_id: last,
      idle_queue_timeout_secs: idleQueueTimeout,
      ...version,
      ...state,
    };
  }
}
