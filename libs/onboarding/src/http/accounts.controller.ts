import type { Actor, UserId } from '@annals/kernel/domain';
import { t, userId } from '@annals/kernel/domain';
import { By, Endpoint, Params, PathId, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isEmail } from 'class-validator';
import { CreateUser } from '../application/create-user';
import { ReactivateUser } from '../application/reactivate-user';

class CreateUserParams {
  @TextParam({ trim: true, is: isEmail }) email: string;
  @TextParam() password: string;
  @TextParam() full_name: string;
}

class ReactivateUserParams {
  @PathId() user_id: UserId;
}

@Controller()
export class AccountsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/users.md section 3 */
  @Endpoint('POST', 'users', {
    audience: 'administrators',
    section: 'users 3',
    summary: 'Make an account for somebody',
    command: 'CreateUser',
    returns: t.Object({ user_id: userId }),
  })
  async create(@By() by: Actor, @Params(CreateUserParams) { email, password, full_name }: CreateUserParams) {
    const userId = await this.commands.execute(new CreateUser(by, { email, password, fullName: full_name }));
    return { user_id: userId };
  }

  /** contract/users.md section 5 */
  @Endpoint('POST', 'users/:user_id/reactivate', {
    audience: 'administrators',
    section: 'users 5',
    summary: 'Let an account that has ended be used again',
    command: 'ReactivateUser',
    returns: null,
  })
  async reactivate(@By() by: Actor, @Params(ReactivateUserParams) { user_id }: ReactivateUserParams): Promise<void> {
    await this.commands.execute(new ReactivateUser(by, user_id));
  }
}
