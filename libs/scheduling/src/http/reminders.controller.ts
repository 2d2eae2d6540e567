import type { Actor, MessageId } from '@annals/kernel/domain';
import { nullable, t } from '@annals/kernel/domain';
import { By, Endpoint, IntegerParam, Params, PathId, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeleteReminder } from '../application/delete-reminder';
import { SetReminder } from '../application/set-reminder';
import type { ScheduledId } from '../domain/events';
import { ListScheduled } from '../read/list-scheduled';
import type { Shown } from '../read/present-scheduled';
import { presentAll, presentReminder } from '../read/present-scheduled';
import { TIME, instantOf } from './times';

/** INTERFACE.md 4.20 */
class SetReminderParams {
  @IntegerParam({ optional: true, min: 0 }) message_id?: MessageId;
  @IntegerParam({ ...TIME, optional: true }) scheduled_delivery_timestamp?: number;
  @TextParam({ optional: true }) note?: string;
}

class ReminderParams {
  @PathId() reminder_id: ScheduledId;
}

const reminderShape = t.Object(
  {
    reminder_id: t.Integer(),
    type: t.String({ description: 'Always `private`.' }),
    to: t.Array(t.Integer()),
    content: t.String({ description: 'Markdown.' }),
    rendered_content: t.String({ description: 'HTML.' }),
    scheduled_delivery_timestamp: t.Integer({ description: 'UNIX seconds.' }),
    failed: t.Boolean(),
    reminder_target_message_id: nullable(t.Integer()),
  },
  { $id: 'Reminder' },
);

@Controller()
export class RemindersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/scheduling.md section 8 */
  @Endpoint('GET', 'reminders', {
    audience: 'anyone',
    section: 'scheduling 8',
    summary: 'Own reminders',
    returns: t.Object({ reminders: t.Array(reminderShape) }),
  })
  async list(@By() by: Actor) {
    const { shown, imagePreviews } = await this.queries.execute(new ListScheduled(by, true));
    const { realmId, userId } = by;
    const present = (one: Shown) => presentReminder(one, { realmId, imagePreviews });
    return { reminders: await presentAll(shown, `${realmId}:${userId}`, present) };
  }

  /** INTERFACE.md 4.20 */
  @Endpoint('POST', 'reminders', {
    audience: 'anyone',
    section: '4.20',
    summary: 'Create a reminder',
    command: 'SetReminder',
    returns: t.Object({ reminder_id: t.Integer() }),
  })
  async set(@By() by: Actor, @Params(SetReminderParams) p: SetReminderParams) {
    const dueAt = p.scheduled_delivery_timestamp === undefined ? undefined : instantOf(p.scheduled_delivery_timestamp);
    return { reminder_id: await this.commands.execute(new SetReminder(by, p.message_id ?? null, dueAt, p.note)) };
  }

  /** contract/scheduling.md section 8 */
  @Endpoint('DELETE', 'reminders/:reminder_id', {
    audience: 'anyone',
    section: 'scheduling 8',
    summary: 'Delete a reminder',
    command: 'DeleteReminder',
    returns: null,
  })
  async delete(@By() by: Actor, @Params(ReminderParams) p: ReminderParams): Promise<void> {
    await this.commands.execute(new DeleteReminder(by, p.reminder_id));
  }
}
