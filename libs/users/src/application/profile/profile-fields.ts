import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { DEFAULT_EXTERNAL_ACCOUNTS } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { FieldChange, NewField } from '../../domain/profile/profile-field-decisions';
import { changeField, createField, deleteField, reorderFields } from '../../domain/profile/profile-field-decisions';
import type { ProfileFieldId } from '../../domain/profile/profile-events';
import { PROFILE_FIELDS, profileFieldsAggregate } from '../../domain/profile/profile-fields';

const known = DEFAULT_EXTERNAL_ACCOUNTS;

/** INTERFACE.md 4.9 */
export class CreateProfileField extends Command<ProfileFieldId> {
  constructor(
    readonly by: Actor,
    readonly input: NewField,
  ) {
    super();
  }
}

@CommandHandler(CreateProfileField)
export class CreateProfileFieldHandler implements ICommandHandler<CreateProfileField> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  execute({ by, input }: CreateProfileField): Promise<ProfileFieldId> {
    return this.work.run(by, async (work) => {
      const id = await this.kernel.ids.next(work.realmId, 'profile-field');
      const { actor } = work;
      await work.decide(profileFieldsAggregate, PROFILE_FIELDS, (all) => createField(all, id, input, { actor, known }));
      return id;
    });
  }
}

/** contract/profile-fields.md section 2, like the next ones */
export class ChangeProfileField extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly fieldId: number,
    readonly change: FieldChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeProfileField)
export class ChangeProfileFieldHandler implements ICommandHandler<ChangeProfileField> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, fieldId, change }: ChangeProfileField): Promise<void> {
    await this.work.run(by, async (work) => {
      const rules = { actor: work.actor, known };
      const events = await work.decide(profileFieldsAggregate, PROFILE_FIELDS, (all) =>
        changeField(all, fieldId, change, rules),
      );
      const removes = events.some(
        ({ type, data }) => type === 'users.ProfileFieldChoicesChanged' && data.removed.length > 0,
      );
      if (removes) work.touchesRows(await valuesIn(this.kernel, work.realmId, fieldId));
    });
  }
}

export class DeleteProfileField extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly fieldId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteProfileField)
export class DeleteProfileFieldHandler implements ICommandHandler<DeleteProfileField> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, fieldId }: DeleteProfileField): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(profileFieldsAggregate, PROFILE_FIELDS, (all) => deleteField(all, fieldId, work.actor));
      work.touchesRows(await valuesIn(this.kernel, work.realmId, fieldId));
    });
  }
}

export class ReorderProfileFields extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly order: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(ReorderProfileFields)
export class ReorderProfileFieldsHandler implements ICommandHandler<ReorderProfileFields> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, order }: ReorderProfileFields): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(profileFieldsAggregate, PROFILE_FIELDS, (all) => reorderFields(all, order, work.actor));
    });
  }
}

/** How many users have a value in a field: a deletion removes as many rows. */
async function valuesIn({ database }: Kernel, realmId: RealmId, fieldId: number): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>({
    name: 'profile-values-count',
    text: 'SELECT count(*)::int4 AS count FROM view.profile_values WHERE realm_id = $1 AND field_id = $2::int8',
    values: [realmId, fieldId],
  });
  return rows[0]?.count ?? 0;
}
