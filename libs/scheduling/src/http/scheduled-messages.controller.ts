import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeleteScheduledMessage } from '../application/delete-scheduled-message';
import { ListScheduled } from '../read/list-scheduled';
import type { Shown } from '../read/present-scheduled';
import { presentAll, presentScheduledMessage } from '../read/present-scheduled';
import {
  ChangeScheduledMessageParams,
  ScheduleMessageParams,
  ScheduledMessageParams,
  toChanging,
  toScheduling,
} from './scheduled-messages.params';

const scheduledMessageShape = t.Object(
  {
    scheduled_message_id: t.Integer(),
    type: t.String({ description: '`stream` or `private`.' }),
    to: t.Union([t.Integer(), t.Array(t.Integer())]),
    topic: t.Optional(t.String()),
    content: t.String({ description: 'Markdown.' }),
    rendered_content: t.String({ description: 'HTML.' }),
    scheduled_delivery_timestamp: t.Integer({ description: 'UNIX seconds.' }),
    failed: t.Boolean(),
  },
  { $id: 'ScheduledMessage' },
);

@Controller()
export class ScheduledMessagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/scheduling.md section 2 */
  @Endpoint('GET', 'scheduled_messages', {
    audience: 'anyone',
    section: 'scheduling 2',
    summary: 'Own messages that are sent later',
    returns: t.Object({ scheduled_messages: t.Array(scheduledMessageShape) }),
  })
  async list(@By() by: Actor) {
    const { shown, imagePreviews } = await this.queries.execute(new ListScheduled(by, false));
    const { realmId, userId } = by;
    const present = (one: Shown) => presentScheduledMessage(one, { realmId, imagePreviews });
    return { scheduled_messages: await presentAll(shown, `${realmId}:${userId}`, present) };
  }

  /** contract/scheduling.md section 3 */
  @Endpoint('POST', 'scheduled_messages', {
    audience: 'anyone',
    section: 'scheduling 3',
    summary: 'Write a message that is sent later',
    command: 'ScheduleMessage',
    returns: t.Object({ scheduled_message_id: t.Integer() }),
  })
  async schedule(@By() by: Actor, @Params(ScheduleMessageParams) p: ScheduleMessageParams) {
    return { scheduled_message_id: await this.commands.execute(toScheduling(by, p)) };
  }

  /** INTERFACE.md 4.4 */
  @Endpoint('PATCH', 'scheduled_messages/:scheduled_message_id', {
    audience: 'anyone',
    section: '4.4',
    summary: 'Change a message that is sent later',
    command: 'ChangeScheduledMessage',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeScheduledMessageParams) p: ChangeScheduledMessageParams): Promise<void> {
    await this.commands.execute(toChanging(by, p));
  }

  /** contract/scheduling.md section 5 */
  @Endpoint('DELETE', 'scheduled_messages/:scheduled_message_id', {
    audience: 'anyone',
    section: 'scheduling 5',
    summary: 'Delete a message that is sent later',
    command: 'DeleteScheduledMessage',
    returns: null,
  })
  async delete(@By() by: Actor, @Params(ScheduledMessageParams) p: ScheduledMessageParams): Promise<void> {
    await this.commands.execute(new DeleteScheduledMessage(by, p.scheduled_message_id));
  }
}
