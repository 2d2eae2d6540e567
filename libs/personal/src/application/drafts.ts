import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { ownSettingsAggregate } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { deleteDraft, draftAggregate, editDraft, saveDrafts } from '../domain/draft';
import { reject } from '../domain/rejections';
import { isDraftKept, readDraftIds } from '../read/drafts';
import type { DraftInput } from './draft-bodies';
import { DraftBodies } from './draft-bodies';
import { draftsKey, draftsKnown } from './guards';

/** Saves drafts of the actor, all or none. */
export class CreateDrafts extends Command<number[]> {
  constructor(
    readonly by: Actor,
    readonly drafts: readonly DraftInput[],
  ) {
    super();
  }
}

@CommandHandler(CreateDrafts)
export class CreateDraftsHandler implements ICommandHandler<CreateDrafts> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly bodies: DraftBodies,
  ) {}

  async execute({ by, drafts }: CreateDrafts): Promise<number[]> {
    const opened = await this.work.run(by, async (work) => {
      await ensureSynchronized(work);
      const { realmId, userId } = work.actor;
      const bodies = await Promise.all(drafts.map((draft) => this.bodies.of(work, draft)));
      const present = (await readDraftIds(this.kernel.database.pool, realmId, [userId])).get(userId) ?? [];
      const saved = saveDrafts(bodies, userId, present.length);
      work.guard(draftsKnown, draftsKey(userId, present.at(-1) ?? 0));
      work.changesGuard(draftsKnown, userId);
      return saved.map((one) => work.open('draft', one));
    });
    return opened.map(({ id }) => id);
  }
}

/** Replaces a draft of the actor. */
export class EditDraft extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly draftId: number,
    readonly draft: DraftInput,
  ) {
    super();
  }
}

@CommandHandler(EditDraft)
export class EditDraftHandler implements ICommandHandler<EditDraft> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly bodies: DraftBodies,
  ) {}

  async execute({ by, draftId, draft }: EditDraft): Promise<void> {
    await this.work.run(by, async (work) => {
      await ensureKept(work, this.kernel, draftId);
      const body = await this.bodies.of(work, draft);
      await work.decide(draftAggregate, draftId, (state) => editDraft(state, body, work.actor.userId));
    });
  }
}

export class DeleteDraft extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly draftId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteDraft)
export class DeleteDraftHandler implements ICommandHandler<DeleteDraft> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, draftId }: DeleteDraft): Promise<void> {
    await this.work.run(by, async (work) => {
      await ensureKept(work, this.kernel, draftId);
      await work.decide(draftAggregate, draftId, (state) => deleteDraft(state, work.actor.userId));
    });
  }
}

/** The append depends on the setting. @throws Rejected BAD_REQUEST for an actor who does not synchronize drafts */
async function ensureSynchronized(work: Work): Promise<void> {
  const { settings } = await work.read(ownSettingsAggregate, work.actor.userId);
  if (!settings.enable_drafts_synchronization) throw reject.draftsNotSynchronized();
}

/**
 * Drafts are discarded only by turning off the setting, so an append that depends on the setting depends on that too.
 *
 * @throws Rejected BAD_REQUEST for a draft that the actor does not have
 */
async function ensureKept(work: Work, { database }: Kernel, draftId: number): Promise<void> {
  await ensureSynchronized(work);
  const { realmId, userId } = work.actor;
  if (!(await isDraftKept(database.pool, realmId, userId, draftId))) throw reject.noSuchDraft();
}
