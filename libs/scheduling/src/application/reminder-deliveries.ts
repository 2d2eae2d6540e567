import { randomUUID } from 'node:crypto';
import { ActorReader } from '@annals/groups';
import { Kernel, UnitOfWork, systemActor } from '@annals/kernel';
import type { Position, RealmId, Recorded } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { NoticeText } from '@annals/messages';
import { Notices } from '@annals/messages';
import { Injectable } from '@nestjs/common';
import type { ReminderNoted, ReminderText, ScheduledId } from '../domain/events';
import type { Reminder } from '../domain/reminder';
import { delivered, isReminderDue, reminderAggregate, reminderFailed } from '../domain/reminder';
import { ReminderTexts, aboutNothing } from './reminder-texts';
import type { OrderedDelivery } from './delivery-order';

/** Delivers due reminders as messages of the notification bot (contract/scheduling.md section 8). */
@Injectable()
export class ReminderDeliveries {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly actors: ActorReader,
    private readonly notices: Notices,
    private readonly texts: ReminderTexts,
  ) {}

  /** Reads these at once, so that delivering them reads less. */
  async load(realmId: RealmId, ids: readonly ScheduledId[]): Promise<void> {
    await this.work.run(systemActor(realmId), (work) => work.readAll(reminderAggregate, ids));
  }

  async deliver(realmId: RealmId, id: ScheduledId, delivery: OrderedDelivery): Promise<void> {
    await delivery.run(this.work, systemActor(realmId), async (work) => {
      const state = await work.read(reminderAggregate, id);
      if (!isReminderDue(state, work.at)) return false;
      const text = await this.textOf(realmId, state);
      if (text) await this.notices.notify(work, [state.userId], () => text);
      await work.decide(reminderAggregate, id, () => (text ? delivered(state) : reminderFailed(state, 'author')));
      return true;
    });
  }

  /** Fails a message because of a server error. */
  async giveUp(realmId: RealmId, id: ScheduledId, delivery: OrderedDelivery): Promise<void> {
    await delivery.run(this.work, systemActor(realmId), async (work) => {
      const state = await work.read(reminderAggregate, id);
      if (!isReminderDue(state, work.at)) return false;
      await work.decide(reminderAggregate, id, () => reminderFailed(state, 'internal'));
      return true;
    });
  }

  /**
   * The present text, if its owner may still see the message. Otherwise the text at the time of the request. Null if
   * both are unavailable.
   */
  private async textOf(realmId: RealmId, { userId, messageId, words, noteAt }: Reminder): Promise<NoticeText | null> {
    // A reminder with an erased note is not sent.
    if (messageId === null && !words) return null;
    const note = words ? words.note : await this.noteAt(realmId, noteAt);
    try {
      const origin = { client: 'annals', correlation: randomUUID(), address: null };
      const owner = await this.actors.actor(realmId, userId, origin);
      return await this.texts.of(owner, messageId, note);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      if (error.code === 'USER_DEACTIVATED') return null;
      return words ? storedText(words) : aboutNothing(note);
    }
  }

  /** The note of a message that was erased. */
  private async noteAt(realmId: RealmId, position: Position | null): Promise<string | undefined> {
    if (position === null) return undefined;
    const [event] = (await this.kernel.events.at(realmId, [position])) as Recorded<ReminderNoted>[];
    return event && event.sealed !== 'erased' ? event.sealed.note : undefined;
  }
}

const storedText = ({ content, names }: ReminderText): NoticeText => ({
  content,
  names: (names ?? { users: [], groups: [], channels: [] }) as NoticeText['names'],
});
