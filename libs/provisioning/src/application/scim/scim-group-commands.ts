import type { TokenBearer } from '@annals/kernel';
import type { GroupId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { JsonObject } from '../../domain/scim/json';
import type { ScimChange, ScimTarget } from './scim-requests';
import { ScimGroups } from './scim-groups';

/** Creates a user group for a directory. */
export class CreateScimGroup extends Command<GroupId> {
  constructor(
    readonly bearer: TokenBearer,
    readonly body: JsonObject,
  ) {
    super();
  }
}

@CommandHandler(CreateScimGroup)
export class CreateScimGroupHandler implements ICommandHandler<CreateScimGroup> {
  constructor(private readonly groups: ScimGroups) {}

  execute({ bearer, body }: CreateScimGroup): Promise<GroupId> {
    return this.groups.create(bearer, body);
  }
}

/** Changes a user group for a directory. */
export class ChangeScimGroup extends Command<GroupId> {
  constructor(
    readonly bearer: TokenBearer,
    readonly target: ScimTarget,
    readonly change: ScimChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeScimGroup)
export class ChangeScimGroupHandler implements ICommandHandler<ChangeScimGroup> {
  constructor(private readonly groups: ScimGroups) {}

  execute({ bearer, target, change }: ChangeScimGroup): Promise<GroupId> {
    return this.groups.change(bearer, target, change);
  }
}

/** Deactivates a user group for a directory. */
export class RemoveScimGroup extends Command<void> {
  constructor(
    readonly bearer: TokenBearer,
    readonly target: ScimTarget,
  ) {
    super();
  }
}

@CommandHandler(RemoveScimGroup)
export class RemoveScimGroupHandler implements ICommandHandler<RemoveScimGroup> {
  constructor(private readonly groups: ScimGroups) {}

  execute({ bearer, target }: RemoveScimGroup): Promise<void> {
    return this.groups.remove(bearer, target);
  }
}
