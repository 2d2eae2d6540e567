import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SignalEditing } from '../application/typing/signal-editing';
import { SignalTyping } from '../application/typing/signal-typing';
import { EditingParams, TypingParams, toTypingDestination } from './typing.params';

@Controller()
export class TypingController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/messages.md section 9 */
  @Endpoint('POST', 'typing', {
    audience: 'anyone',
    section: 'messages 9',
    summary: 'Notify others that you type',
    command: 'SignalTyping',
    returns: null,
  })
  async type(@By() by: Actor, @Params(TypingParams) p: TypingParams): Promise<void> {
    await this.commands.execute(new SignalTyping(by, p.op, toTypingDestination(p)));
  }

  /** INTERFACE.md 4.16 */
  @Endpoint('POST', 'messages/:message_id/typing', {
    audience: 'anyone',
    section: '4.16',
    summary: 'Notify others that you edit a message',
    command: 'SignalEditing',
    returns: null,
  })
  async edit(@By() by: Actor, @Params(EditingParams) p: EditingParams): Promise<void> {
    await this.commands.execute(new SignalEditing(by, p.op, p.message_id));
  }
}
