import type { Actor, MessageId } from '@annals/kernel/domain';
import { By, Endpoint, IntegerParam, Params, TextParam, WordParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeWidget } from '../application/widgets/change-widget';

export class SubmessageParams {
  @IntegerParam() message_id: MessageId;
  @WordParam(['widget'], { about: 'The only type of submessages.' }) msg_type: 'widget';
  @TextParam({
    about:
      'JSON. In a poll a `vote`, a `new_option` or a `question`; in a to-do list a `new_task`, a `strike` or a `new_task_list_title`.',
  })
  content: string;
}

@Controller()
export class SubmessagesController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/whole-interface.md section 2 */
  @Endpoint('POST', 'submessage', {
    audience: 'anyone',
    section: 'whole-interface 2',
    summary: 'Vote in a poll, or change a to-do list',
    command: 'ChangeWidget',
    returns: null,
  })
  async change(@By() by: Actor, @Params(SubmessageParams) p: SubmessageParams): Promise<void> {
    await this.commands.execute(new ChangeWidget(by, p.message_id, p.content));
  }
}
