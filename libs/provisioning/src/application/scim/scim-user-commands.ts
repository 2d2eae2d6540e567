import type { TokenBearer } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { JsonObject } from '../../domain/scim/json';
import type { ScimChange, ScimTarget } from './scim-requests';
import { ScimUsers } from './scim-users';

/** Opens an account for a directory. */
export class CreateScimUser extends Command<UserId> {
  constructor(
    readonly bearer: TokenBearer,
    readonly body: JsonObject,
  ) {
    super();
  }
}

@CommandHandler(CreateScimUser)
export class CreateScimUserHandler implements ICommandHandler<CreateScimUser> {
  constructor(private readonly users: ScimUsers) {}

  execute({ bearer, body }: CreateScimUser): Promise<UserId> {
    return this.users.create(bearer, body);
  }
}

/** Changes an account for a directory. */
export class ChangeScimUser extends Command<UserId> {
  constructor(
    readonly bearer: TokenBearer,
    readonly target: ScimTarget,
    readonly change: ScimChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeScimUser)
export class ChangeScimUserHandler implements ICommandHandler<ChangeScimUser> {
  constructor(private readonly users: ScimUsers) {}

  execute({ bearer, target, change }: ChangeScimUser): Promise<UserId> {
    return this.users.change(bearer, target, change);
  }
}

/** Deactivates an account for a directory, which sees it no more. */
export class RemoveScimUser extends Command<void> {
  constructor(
    readonly bearer: TokenBearer,
    readonly target: ScimTarget,
  ) {
    super();
  }
}

@CommandHandler(RemoveScimUser)
export class RemoveScimUserHandler implements ICommandHandler<RemoveScimUser> {
  constructor(private readonly users: ScimUsers) {}

  execute({ bearer, target }: RemoveScimUser): Promise<void> {
    return this.users.remove(bearer, target);
  }
}
