import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MuteTopicParams, SetTopicPolicyParams, toMuting, toPolicy } from './topic-policies.params';

@Controller()
export class TopicPoliciesController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/messages.md section 10 */
  @Endpoint('POST', 'user_topics', {
    audience: 'anyone',
    section: 'messages 10',
    summary: 'Mute, unmute or follow a topic',
    command: 'SetTopicPolicy',
    returns: null,
  })
  async set(@By() by: Actor, @Params(SetTopicPolicyParams) p: SetTopicPolicyParams) {
    await this.commands.execute(toPolicy(by, p));
  }

  /** INTERFACE.md 4.7 */
  @Endpoint('PATCH', 'users/me/subscriptions/muted_topics', {
    audience: 'anyone',
    section: '4.7',
    summary: 'Mute a topic or no longer mute it, the older way',
    command: 'SetTopicPolicy',
    returns: null,
  })
  async mute(@By() by: Actor, @Params(MuteTopicParams) p: MuteTopicParams) {
    await this.commands.execute(toMuting(by, p));
  }
}
