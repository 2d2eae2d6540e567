import { randomUUID } from 'node:crypto';
import { ActorReader } from '@annals/groups';
import { UnitOfWork } from '@annals/kernel';
import type { SystemActor, Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { Notices, Sender } from '@annals/messages';
import { Injectable } from '@nestjs/common';
import type { Failure, ScheduledId } from '../domain/events';
import type { ScheduledMessage } from '../domain/scheduled-message';
import { failed, isDue, scheduledMessageAggregate, sent } from '../domain/scheduled-message';
import { Lateness } from './lateness';
import { failureText } from './failure-text';
import { destinationOf } from './planned';

/** Messages of one author, written with one client program. */
export interface Batch {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly client: string;
  /** In the order in which they are sent. */
  readonly ids: readonly ScheduledId[];
}

/**
 * Sends scheduled messages whose time has come (contract/scheduling.md section 6). The message and the end of its
 * waiting are one append on the version of the waiting: of two workers one wins, and the other finds nothing left to do.
 */
@Injectable()
export class Deliveries {
  constructor(
    private readonly work: UnitOfWork,
    private readonly actors: ActorReader,
    private readonly sender: Sender,
    private readonly notices: Notices,
    private readonly lateness: Lateness,
  ) {}

  /** Those that cannot be sent are given up, and their author is told. */
  async deliver(batch: Batch): Promise<void> {
    try {
      await this.send(batch);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      if (batch.ids.length > 1) for (const id of batch.ids) await this.deliver({ ...batch, ids: [id] });
      else await this.refused(batch, error);
    }
  }

  /** Gives one up because of a mistake of the server's own. */
  async giveUp({ realmId, ids: [id] }: Batch): Promise<void> {
    if (id !== undefined) await this.fail(realmId, id, 'internal', 'An internal error occurred.');
  }

  /** All of them or none. @throws Rejected when one of them may not be sent */
  private async send({ realmId, userId, client, ids }: Batch): Promise<void> {
    const actor = await this.actors.actor(realmId, userId, { client, correlation: randomUUID(), address: null });
    await this.work.run(actor, async (work) => {
      for (const state of await work.readAll(scheduledMessageAggregate, ids)) {
        if (isDue(state, work.at)) await this.sendOne(work, state);
      }
    });
  }

  private async sendOne(work: Work, state: ScheduledMessage): Promise<void> {
    const { id, words, readBySender } = state;
    this.lateness.ensure(state.dueAt, work.at);
    if (!words) throw new Rejected('BAD_REQUEST', 'Its text was erased.');
    const draft = await this.sender.draft(work, destinationOf(state, words), words.content);
    await this.sender.send(work, draft, { readBySender, echo: null });
    await work.decide(scheduledMessageAggregate, id, () => sent(state));
  }

  private async refused({ realmId, ids: [id] }: Batch, { code, message }: Rejected): Promise<void> {
    if (id === undefined) return;
    const failure = code === 'USER_DEACTIVATED' ? 'author' : code === Lateness.CODE ? 'late' : 'refused';
    await this.fail(realmId, id, failure, message);
  }

  private async fail(realmId: RealmId, id: ScheduledId, failure: Failure, reason: string): Promise<void> {
    await this.work.run(system(realmId), async (work) => {
      const state = await work.read(scheduledMessageAggregate, id);
      if (!isDue(state, work.at)) return;
      await work.decide(scheduledMessageAggregate, id, () => failed(state, failure, reason));
      if (failure !== 'author') await this.notices.tell(work, [state.userId], () => failureText(state.dueAt, reason));
    });
  }
}

/** The server itself, for what it gives up and what it reminds of. */
export const system = (realmId: RealmId): SystemActor => ({
  realmId,
  userId: null,
  origin: { client: 'annals', correlation: randomUUID(), address: null },
});
