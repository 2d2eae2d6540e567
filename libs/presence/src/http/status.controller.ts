import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ChangeStatus } from '../application/change-status';
import { GetStatus, presentStatus } from '../read/statuses';
import { ChangeStatusOfUserParams, ChangeStatusParams, GetStatusParams, toStatusInput } from './status.params';

const statusShape = t.Object({
  status_text: t.Optional(t.String()),
  emoji_name: t.Optional(t.String()),
  emoji_code: t.Optional(t.String()),
  reaction_type: t.Optional(t.String()),
});

@Controller()
export class StatusController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('GET', 'users/:user_id/status', {
    audience: 'anyone',
    section: 'realtime 6.3',
    summary: 'Get the status of a user',
    returns: t.Object({ status: statusShape }),
  })
  async show(@By() by: Actor, @Params(GetStatusParams) { user_id }: GetStatusParams) {
    return { status: presentStatus(await this.queries.execute(new GetStatus(by, user_id))) };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'users/me/status', {
    audience: 'anyone',
    section: 'realtime 6.3',
    summary: 'Change the own status',
    command: 'ChangeStatus',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeStatusParams) params: ChangeStatusParams): Promise<void> {
    await this.commands.execute(new ChangeStatus(by, null, toStatusInput(params)));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'users/:user_id/status', {
    audience: 'anyone',
    section: 'realtime 6.3',
    summary: 'Change the status of a user or bot',
    command: 'ChangeStatus',
    returns: null,
  })
  async changeOf(@By() by: Actor, @Params(ChangeStatusOfUserParams) params: ChangeStatusOfUserParams): Promise<void> {
    await this.commands.execute(new ChangeStatus(by, params.user_id, toStatusInput(params)));
  }
}
