import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params, PathId } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MuteUser, UnmuteUser } from '../application/muting/muted-users';

class MutedUserParams {
  @PathId() muted_user_id: number;
}

@Controller()
export class MutedUsersController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'users/me/muted_users/:muted_user_id', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Mute a user',
    command: 'MuteUser',
    returns: null,
  })
  async mute(@By() by: Actor, @Params(MutedUserParams) { muted_user_id }: MutedUserParams): Promise<void> {
    await this.commands.execute(new MuteUser(by, muted_user_id));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('DELETE', 'users/me/muted_users/:muted_user_id', {
    audience: 'anyone',
    section: 'messages 8',
    summary: 'Unmute a user',
    command: 'UnmuteUser',
    returns: null,
  })
  async unmute(@By() by: Actor, @Params(MutedUserParams) { muted_user_id }: MutedUserParams): Promise<void> {
    await this.commands.execute(new UnmuteUser(by, muted_user_id));
  }
}
