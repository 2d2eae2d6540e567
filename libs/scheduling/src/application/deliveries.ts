import { randomUUID } from 'node:crypto';
import { ActorReader } from '@annals/groups';
import { UnitOfWork, systemActor } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { Notices, Sender } from '@annals/messages';
import { Injectable } from '@nestjs/common';
import type { FailureReason, ScheduledId } from '../domain/events';
import type { ScheduledMessage } from '../domain/scheduled-message';
import { failed, isDue, scheduledMessageAggregate, sent } from '../domain/scheduled-message';
import { Lateness } from './lateness';
import { failureText } from './failure-text';
import { destinationOf } from './planned';
import type { OrderedDelivery } from './delivery-order';

/** A due message. */
export interface Due {
  readonly realmId: RealmId;
  readonly id: ScheduledId;
  readonly userId: UserId;
  /** Client program that it was written with. */
  readonly client: string;
}

/**
 * Sends due messages (contract/scheduling.md section 6). The message and the end of the scheduled message are one
 * append with an expected version: of two workers one succeeds, and the other finds nothing to do.
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

  /** A key of the destination of each message. All are read at once, so that delivering them reads less. */
  async places(realmId: RealmId, ids: readonly ScheduledId[]): Promise<ReadonlyMap<ScheduledId, string>> {
    const states = await this.work.run(systemActor(realmId), (work) => work.readAll(scheduledMessageAggregate, ids));
    return new Map(states.flatMap((state) => (state ? [[state.id, placeOf(state)] as const] : [])));
  }

  /** A message that cannot be sent fails, and its author gets a notice. */
  async deliver(due: Due, delivery: OrderedDelivery): Promise<void> {
    try {
      await this.send(due, delivery);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      await this.fail(due, delivery, failureOf(error), error.message);
    }
  }

  /** Fails a message because of a server error. */
  async giveUp(due: Due, delivery: OrderedDelivery): Promise<void> {
    await this.fail(due, delivery, 'internal', 'An internal error occurred.');
  }

  /** @throws Rejected when it may not be sent */
  private async send({ realmId, id, userId, client }: Due, delivery: OrderedDelivery): Promise<void> {
    const actor = await this.actors.actor(realmId, userId, { client, correlation: randomUUID(), address: null });
    await delivery.run(this.work, actor, async (work) => {
      const state = await work.read(scheduledMessageAggregate, id);
      if (!isDue(state, work.at)) return false;
      await this.sendOne(work, state);
      return true;
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

  private async fail(
    { realmId, id }: Due,
    delivery: OrderedDelivery,
    failure: FailureReason,
    reason: string,
  ): Promise<void> {
    await delivery.run(this.work, systemActor(realmId), async (work) => {
      const state = await work.read(scheduledMessageAggregate, id);
      if (!isDue(state, work.at)) return false;
      if (failure !== 'author') await this.notices.notify(work, [state.userId], () => failureText(state.dueAt, reason));
      await work.decide(scheduledMessageAggregate, id, () => failed(state, failure, reason));
      return true;
    });
  }
}

const placeOf = ({ target, words }: ScheduledMessage): string =>
  'channelId' in target ? `${target.channelId} ${words?.topic ?? ''}` : target.userIds.join();

function failureOf({ code }: Rejected): FailureReason {
  if (code === 'USER_DEACTIVATED') return 'author';
  return code === Lateness.CODE ? 'late' : 'refused';
}
