import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params, PathId, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeleteSnippet, EditSnippet, SaveSnippet } from '../application/saved-snippets';
import { ListSnippets, presentSnippet } from '../read/saved-snippets';

const TITLE = { trim: true, min: 1, max: 60 } as const;
/** As long as a message can be (`max_message_length`). */
const CONTENT = { trim: true, min: 1, max: 10_000 } as const;

export class NewSnippetParams {
  @TextParam(TITLE) title: string;
  @TextParam(CONTENT) content: string;
}

export class SnippetParams {
  @PathId() saved_snippet_id: number;
}

export class EditedSnippetParams extends SnippetParams {
  @TextParam({ ...TITLE, optional: true }) title?: string;
  @TextParam({ ...CONTENT, optional: true }) content?: string;
}

const snippetShape = t.Object(
  {
    id: t.Integer(),
    title: t.String(),
    content: t.String({ description: 'Markdown.' }),
    date_created: t.Integer({ description: 'UNIX seconds.' }),
  },
  { $id: 'SavedSnippet' },
);

@Controller()
export class SavedSnippetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/navigation-snippets-domains.md section 2 */
  @Endpoint('GET', 'saved_snippets', {
    audience: 'anyone',
    section: 'navigation-snippets-domains 2',
    summary: 'Own saved snippets',
    returns: t.Object({ saved_snippets: t.Array(snippetShape) }),
  })
  async list(@By() by: Actor) {
    return { saved_snippets: (await this.queries.execute(new ListSnippets(by))).map(presentSnippet) };
  }

  /** INTERFACE.md 4.17 */
  @Endpoint('POST', 'saved_snippets', {
    audience: 'anyone',
    section: '4.17',
    summary: 'Create a saved snippet',
    command: 'SaveSnippet',
    returns: t.Object({ saved_snippet_id: t.Integer() }),
  })
  async save(@By() by: Actor, @Params(NewSnippetParams) { title, content }: NewSnippetParams) {
    return { saved_snippet_id: await this.commands.execute(new SaveSnippet(by, { title, content })) };
  }

  /** contract/navigation-snippets-domains.md section 2 */
  @Endpoint('PATCH', 'saved_snippets/:saved_snippet_id', {
    audience: 'anyone',
    section: 'navigation-snippets-domains 2',
    summary: 'Edit a saved snippet',
    command: 'EditSnippet',
    returns: null,
  })
  async edit(@By() by: Actor, @Params(EditedSnippetParams) p: EditedSnippetParams): Promise<void> {
    const { saved_snippet_id, title, content } = p;
    await this.commands.execute(new EditSnippet(by, saved_snippet_id, { title, content }));
  }

  /** contract/navigation-snippets-domains.md section 2 */
  @Endpoint('DELETE', 'saved_snippets/:saved_snippet_id', {
    audience: 'anyone',
    section: 'navigation-snippets-domains 2',
    summary: 'Delete a saved snippet',
    command: 'DeleteSnippet',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(SnippetParams) { saved_snippet_id }: SnippetParams): Promise<void> {
    await this.commands.execute(new DeleteSnippet(by, saved_snippet_id));
  }
}
