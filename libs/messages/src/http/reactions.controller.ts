import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AddReaction, RemoveReaction } from '../application/react/react';
import { ReactionParams, toEmoji } from './reactions.params';

@Controller()
export class ReactionsController {
  constructor(private readonly commands: CommandBus) {}

  /** INTERFACE.md 4.14 */
  @Endpoint('POST', 'messages/:message_id/reactions', {
    audience: 'anyone',
    section: '4.14',
    summary: 'React to a message',
    command: 'AddReaction',
    returns: null,
  })
  async add(@By() by: Actor, @Params(ReactionParams) p: ReactionParams) {
    await this.commands.execute(new AddReaction(by, p.message_id, toEmoji(p)));
  }

  /** contract/messages.md section 7 */
  @Endpoint('DELETE', 'messages/:message_id/reactions', {
    audience: 'anyone',
    section: 'messages 7',
    summary: 'Remove a reaction',
    command: 'RemoveReaction',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(ReactionParams) p: ReactionParams) {
    await this.commands.execute(new RemoveReaction(by, p.message_id, toEmoji(p)));
  }
}
