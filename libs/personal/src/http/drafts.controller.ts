import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CreateDrafts, DeleteDraft, EditDraft } from '../application/drafts';
import { ListDrafts, presentDraft } from '../read/drafts';
import { DraftParams, EditedDraftParams, NewDraftsParams, draftShape, toInput } from './drafts.params';

@Controller()
export class DraftsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('GET', 'drafts', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Own drafts, the last edited first',
    returns: t.Object({ count: t.Integer(), drafts: t.Array(draftShape) }),
  })
  async list(@By() by: Actor) {
    const drafts = (await this.queries.execute(new ListDrafts(by))).map(presentDraft);
    return { count: drafts.length, drafts };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'drafts', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Create drafts',
    command: 'CreateDrafts',
    returns: t.Object({ ids: t.Array(t.Integer(), { description: 'In the order of the drafts.' }) }),
  })
  async create(@By() by: Actor, @Params(NewDraftsParams) { drafts }: NewDraftsParams) {
    return { ids: await this.commands.execute(new CreateDrafts(by, drafts.map(toInput))) };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('PATCH', 'drafts/:draft_id', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Replace a draft',
    command: 'EditDraft',
    returns: null,
  })
  async edit(@By() by: Actor, @Params(EditedDraftParams) { draft_id, draft }: EditedDraftParams): Promise<void> {
    await this.commands.execute(new EditDraft(by, draft_id, toInput(draft)));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('DELETE', 'drafts/:draft_id', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Delete a draft',
    command: 'DeleteDraft',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(DraftParams) { draft_id }: DraftParams): Promise<void> {
    await this.commands.execute(new DeleteDraft(by, draft_id));
  }
}
