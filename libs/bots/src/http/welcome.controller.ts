import type { Actor } from '@annals/kernel/domain';
import { messageId, t } from '@annals/kernel/domain';
import { TEXTS } from '@annals/realm';
import { By, Endpoint, Params, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { TryOutWelcome } from '../application/try-out-welcome';

export class TryOutWelcomeParams {
  @TextParam({ quoted: true, trim: true, max: TEXTS.welcome_message_custom_text.max })
  welcome_message_custom_text: string;
}

@Controller()
export class WelcomeController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'realm/test_welcome_bot_custom_message', {
    audience: 'administrators',
    section: 'whole-interface 1',
    summary: 'Send yourself what the welcome bot writes to newcomers',
    command: 'TryOutWelcome',
    returns: t.Object({ message_id: messageId }),
  })
  async tryOut(@By() by: Actor, @Params(TryOutWelcomeParams) p: TryOutWelcomeParams) {
    return { message_id: await this.commands.execute(new TryOutWelcome(by, p.welcome_message_custom_text)) };
  }
}
