import { randomUUID } from 'node:crypto';
import type { Actor, Clock, RealmId } from '@annals/kernel/domain';
import type { CurrentBlock, Kernel, RegisterBlock, RegisterOptions } from '@annals/kernel';
import type { SignalCursors } from '../delivery/polls/signal-cursors';
import type { QueueRows } from '../queues/queue-rows';
import type { QueueOptions } from '../queues/client-queue';
import { isGuest } from '@annals/kernel/domain';
import { lastLoggedId } from '../domain/event-id';
import { fetchedKeys } from '../domain/fetch-keys';
import { reject } from '../domain/rejections';
import type { BlockFields } from './cached-blocks';
import type { InitialStateRequest } from './initial-state';
import { InitialState } from './initial-state';

/** A POST /register request (contract/realtime.md section 2). */
export interface Registration extends Omit<QueueOptions, 'keyId'> {
  readonly fetchEventTypes: readonly string[] | null;
  readonly presenceHistoryLimitDays: number;
  /** Seconds. Repeated in the answer, and less than a queue really lives. */
  readonly idleQueueTimeout: number;
}

/** Features of the server on which parts of the state depend. They are the same for all clients. */
export type RegisterFeatures = Pick<
  RegisterOptions,
  'webPublicChannels' | 'maxUploadMib' | 'uploadQuotaMib' | 'pushNotifications' | 'signIn'
>;

export interface RegisterParts {
  readonly kernel: Pick<Kernel, 'snapshot' | 'fence' | 'changes' | 'tail'>;
  readonly clock: Clock;
  readonly queues: QueueRows;
  readonly signalCursors: Pick<SignalCursors, 'onRegister'>;
  readonly blocks: readonly RegisterBlock[];
  readonly currentBlocks: readonly CurrentBlock[];
  /** The version that this server reports. */
  readonly version: Readonly<Record<string, unknown>>;
  /** Canonical address of an organization. */
  readonly addressOf: (realmId: RealmId) => Promise<string>;
  /** The features that the server allows its organizations. */
  readonly features: RegisterFeatures;
}

/** Opens client queues. */
export class Register {
  private readonly state: InitialState;

  constructor(private readonly parts: RegisterParts) {
    this.state = new InitialState(parts.kernel, parts.blocks);
  }

  /**
   * Reads the state at one position, and stores a queue that begins right after it. So the state and the events that follow
   * agree by construction.
   *
   * @param by has passed the fence
   * @returns the fields of the answer
   * @throws Rejected when a guest asks for all public channels
   */
  async open(by: Actor, registration: Registration): Promise<Record<string, unknown>> {
    const { fetchEventTypes, presenceHistoryLimitDays, idleQueueTimeout, ...queue } = registration;
    if (queue.allPublicStreams && isGuest(by)) throw reject.notForGuests();
    const { clock, queues, signalCursors, version, addressOf, features } = this.parts;
    const { realmId } = by;
    const at = clock.now();
    const opened = signalCursors.onRegister();
    const { clientGravatar, includeSubscribers, slimPresence, capabilities } = queue;
    const asked = { clientGravatar, includeSubscribers, slimPresence, capabilities, presenceHistoryLimitDays };
    const options = { ...features, ...asked, url: await addressOf(realmId) };
    const wants = fetchedKeys({ eventTypes: queue.eventTypes, fetchEventTypes });
    const wanted = { at, options, wants };
    const { position, fields } = await this.state.read(by, wanted);
    const id = randomUUID();
    await queues.insert(realmId, id, by.userId, position, { ...queue, keyId: by.keyId ?? null }, at);
    const last = lastLoggedId(position);
    opened(id, last);
    return {
      queue_id: id,
      last_event_id: last,
      idle_queue_timeout_secs: idleQueueTimeout,
      ...version,
      ...this.state.nothingYet(wanted),
      ...fields,
      ...(await this.current(by, wanted)),
    };
  }

  /** After the queue exists, so that it receives what changes from now on. */
  private async current(by: Actor, { options, wants }: InitialStateRequest): Promise<BlockFields> {
    const fields: Record<string, unknown> = {};
    for (const block of this.parts.currentBlocks) {
      const keys = block.keys.filter(wants);
      if (keys.length > 0) Object.assign(fields, await block.read(by, { ...options, keys: new Set(keys) }));
    }
    return fields;
  }
}
