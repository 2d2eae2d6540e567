import type { Actor } from '@annals/kernel/domain';
import { Rejected, t } from '@annals/kernel/domain';
import { By, Endpoint, JsonParam, Params, PathId, TextParam, WordParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ChangeChannelsOfDefaultGroup,
  ChangeDefaultGroup,
  CreateDefaultGroup,
  DeleteDefaultGroup,
} from '../application/default-groups';
import type { DefaultGroupText } from '../domain/default-groups/default-groups';
import { MAX_DESCRIPTION_LENGTH } from './new-channel.params';

const names = t.Array(t.String(), { description: 'Names of channels.' });

class CreateDefaultGroupParams {
  @TextParam() group_name: string;
  @TextParam({ max: MAX_DESCRIPTION_LENGTH }) description: string;
  @JsonParam(names) stream_names: readonly string[];
}

class DefaultGroupParams {
  @PathId() group_id: number;
}

class ChangeDefaultGroupParams extends DefaultGroupParams {
  @TextParam({ optional: true }) new_group_name?: string;
  @TextParam({ optional: true, max: MAX_DESCRIPTION_LENGTH }) new_description?: string;
}

class ChannelsOfDefaultGroupParams extends DefaultGroupParams {
  @WordParam(['add', 'remove']) op: 'add' | 'remove';
  @JsonParam(names) stream_names: readonly string[];
}

/** @throws Rejected BAD_REQUEST when the request has no change */
function toChange({ new_group_name: name, new_description: description }: ChangeDefaultGroupParams) {
  if (name === undefined && description === undefined) {
    throw new Rejected('BAD_REQUEST', 'You must pass "new_description" or "new_group_name".');
  }
  const change: Partial<DefaultGroupText> = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  };
  return change;
}

@Controller()
export class DefaultGroupsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/whole-interface.md section 2, like all of these */
  @Endpoint('POST', 'default_stream_groups/create', {
    audience: 'administrators',
    section: 'whole-interface 2',
    summary: 'Create a group of default channels',
    command: 'CreateDefaultGroup',
    returns: null,
  })
  async create(@By() by: Actor, @Params(CreateDefaultGroupParams) p: CreateDefaultGroupParams): Promise<void> {
    const text = { name: p.group_name, description: p.description };
    await this.commands.execute(new CreateDefaultGroup(by, text, p.stream_names));
  }

  @Endpoint('PATCH', 'default_stream_groups/:group_id', {
    audience: 'administrators',
    section: 'whole-interface 2',
    summary: 'Rename or describe a group of default channels',
    command: 'ChangeDefaultGroup',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeDefaultGroupParams) p: ChangeDefaultGroupParams): Promise<void> {
    await this.commands.execute(new ChangeDefaultGroup(by, p.group_id, toChange(p)));
  }

  @Endpoint('PATCH', 'default_stream_groups/:group_id/streams', {
    audience: 'administrators',
    section: 'whole-interface 2',
    summary: 'Add channels to a group of default channels, or remove some',
    command: 'ChangeChannelsOfDefaultGroup',
    returns: null,
  })
  async changeChannels(@By() by: Actor, @Params(ChannelsOfDefaultGroupParams) p: ChannelsOfDefaultGroupParams) {
    await this.commands.execute(new ChangeChannelsOfDefaultGroup(by, p.group_id, p.op, p.stream_names));
  }

  @Endpoint('DELETE', 'default_stream_groups/:group_id', {
    audience: 'administrators',
    section: 'whole-interface 2',
    summary: 'Delete a group of default channels',
    command: 'DeleteDefaultGroup',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(DefaultGroupParams) { group_id }: DefaultGroupParams): Promise<void> {
    await this.commands.execute(new DeleteDefaultGroup(by, group_id));
  }
}
