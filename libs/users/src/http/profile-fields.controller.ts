import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ChangeProfileField,
  CreateProfileField,
  DeleteProfileField,
  ReorderProfileFields,
} from '../application/profile/profile-fields';
import { UpdateOwnProfile } from '../application/profile/profile-values';
import { ListProfileFields, presentField } from '../read/profile/profile-fields';
import {
  ChangeProfileFieldParams,
  ClearOwnProfileParams,
  CreateProfileFieldParams,
  DeleteProfileFieldParams,
  ReorderProfileFieldsParams,
  UpdateOwnProfileParams,
  toFieldChange,
  toNewField,
  toValuePatches,
} from './profile-fields.params';
import { profileFieldShape } from './shapes';

@Controller()
export class ProfileFieldsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/profile-fields.md section 2, like all methods without another section */
  @Endpoint('GET', 'realm/profile_fields', {
    audience: 'anyone',
    section: 'profile-fields 2',
    summary: 'List custom profile fields',
    returns: t.Object({ custom_fields: t.Array(profileFieldShape) }),
  })
  async list(@By() by: Actor) {
    return { custom_fields: (await this.queries.execute(new ListProfileFields(by))).map(presentField) };
  }

  /** INTERFACE.md 4.9 */
  @Endpoint('POST', 'realm/profile_fields', {
    audience: 'administrators',
    section: '4.9',
    summary: 'Create a custom profile field',
    command: 'CreateProfileField',
    returns: t.Object({ id: t.Integer() }),
  })
  async create(@By() by: Actor, @Params(CreateProfileFieldParams) p: CreateProfileFieldParams) {
    return { id: await this.commands.execute(new CreateProfileField(by, toNewField(p))) };
  }

  @Endpoint('PATCH', 'realm/profile_fields', {
    audience: 'administrators',
    section: 'profile-fields 2',
    summary: 'Put all custom profile fields into another order',
    command: 'ReorderProfileFields',
    returns: null,
  })
  async reorder(@By() by: Actor, @Params(ReorderProfileFieldsParams) { order }: ReorderProfileFieldsParams) {
    await this.commands.execute(new ReorderProfileFields(by, order));
  }

  @Endpoint('PATCH', 'realm/profile_fields/:field_id', {
    audience: 'administrators',
    section: 'profile-fields 2',
    summary: 'Change a custom profile field',
    command: 'ChangeProfileField',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeProfileFieldParams) p: ChangeProfileFieldParams): Promise<void> {
    await this.commands.execute(new ChangeProfileField(by, p.field_id, toFieldChange(p)));
  }

  @Endpoint('DELETE', 'realm/profile_fields/:field_id', {
    audience: 'administrators',
    section: 'profile-fields 2',
    summary: 'Delete a custom profile field, with what people wrote in it',
    command: 'DeleteProfileField',
    returns: null,
  })
  async delete(@By() by: Actor, @Params(DeleteProfileFieldParams) p: DeleteProfileFieldParams): Promise<void> {
    await this.commands.execute(new DeleteProfileField(by, p.field_id));
  }

  /** INTERFACE.md 4.13 */
  @Endpoint('PATCH', 'users/me/profile_data', {
    audience: 'humans',
    section: '4.13',
    summary: 'Say something of yourself in custom profile fields',
    command: 'UpdateOwnProfile',
    returns: null,
  })
  async update(@By() by: Actor, @Params(UpdateOwnProfileParams) { data }: UpdateOwnProfileParams): Promise<void> {
    await this.commands.execute(new UpdateOwnProfile(by, toValuePatches(data)));
  }

  @Endpoint('DELETE', 'users/me/profile_data', {
    audience: 'humans',
    section: 'profile-fields 2',
    summary: 'Take away what you said in custom profile fields',
    command: 'UpdateOwnProfile',
    returns: null,
  })
  async clear(@By() by: Actor, @Params(ClearOwnProfileParams) { data }: ClearOwnProfileParams): Promise<void> {
    await this.commands.execute(
      new UpdateOwnProfile(
        by,
        data.map((fieldId) => ({ fieldId, value: null })),
      ),
    );
  }
}
