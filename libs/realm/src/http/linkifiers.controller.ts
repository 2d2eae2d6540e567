import type { Actor } from '@annals/kernel/domain';
import { nullable, t } from '@annals/kernel/domain';
import { By, Endpoint, IntegersParam, JsonParam, Params, PathId, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AddLinkifier, ChangeLinkifier, RemoveLinkifier, ReorderLinkifiers } from '../application/linkifiers';
import type { LinkifierInput } from '../domain/linkifiers/linkifiers';
import { presentLinkifier } from '../read/linkifiers/linkifiers';
import { ListLinkifiers } from '../read/linkifiers/list-linkifiers';

const MAX_PATTERN = 1_000;
const MAX_TEMPLATE = 2_000;
const MAX_ALTERNATIVES = 20;

export class NewLinkifierParams {
  @TextParam({ max: MAX_PATTERN, about: 'A regular expression in the syntax of RE2.' }) pattern: string;
  @TextParam({ max: MAX_TEMPLATE, about: 'RFC 6570, with the named groups of the pattern.' }) url_template: string;
  @TextParam({ optional: true, max: MAX_PATTERN, about: 'An empty text is none.' }) example_input?: string;
  @TextParam({ optional: true, max: MAX_TEMPLATE, about: 'An empty text is none. Needs `example_input`.' })
  reverse_template?: string;
  @JsonParam(t.Array(t.String({ minLength: 1, maxLength: MAX_TEMPLATE }), { maxItems: MAX_ALTERNATIVES }), {
    optional: true,
  })
  alternative_url_templates?: string[];
}

export class ChangedLinkifierParams extends NewLinkifierParams {
  @PathId() filter_id: number;
}

export class LinkifierParams {
  @PathId() filter_id: number;
}

export class LinkifierOrderParams {
  @IntegersParam() ordered_linkifier_ids: number[];
}

const inputOf = (p: NewLinkifierParams): LinkifierInput => ({
  pattern: p.pattern,
  urlTemplate: p.url_template,
  exampleInput: p.example_input,
  reverseTemplate: p.reverse_template,
  alternativeUrlTemplates: p.alternative_url_templates,
});

const linkifier = t.Object(
  {
    id: t.Integer(),
    pattern: t.String(),
    url_template: t.String(),
    example_input: nullable(t.String()),
    reverse_template: nullable(t.String()),
    alternative_url_templates: t.Array(t.String()),
  },
  { $id: 'Linkifier' },
);

@Controller()
export class LinkifiersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('GET', 'realm/linkifiers', {
    audience: 'anyone',
    section: 'whole-interface 1',
    summary: 'Linkifiers in their order',
    returns: t.Object({ linkifiers: t.Array(linkifier) }),
  })
  async list(@By() by: Actor) {
    return { linkifiers: (await this.queries.execute(new ListLinkifiers(by))).map(presentLinkifier) };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('PATCH', 'realm/linkifiers', {
    audience: 'administrators',
    section: 'whole-interface 1',
    summary: 'Reorder linkifiers',
    command: 'ReorderLinkifiers',
    returns: null,
  })
  async reorder(@By() by: Actor, @Params(LinkifierOrderParams) p: LinkifierOrderParams): Promise<void> {
    await this.commands.execute(new ReorderLinkifiers(by, p.ordered_linkifier_ids));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'realm/filters', {
    audience: 'administrators',
    section: 'whole-interface 1',
    summary: 'Add a linkifier',
    command: 'AddLinkifier',
    returns: t.Object({ id: t.Integer() }),
  })
  async add(@By() by: Actor, @Params(NewLinkifierParams) p: NewLinkifierParams) {
    return { id: await this.commands.execute(new AddLinkifier(by, inputOf(p))) };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('PATCH', 'realm/filters/:filter_id', {
    audience: 'administrators',
    section: 'whole-interface 1',
    summary: 'Update a linkifier',
    command: 'ChangeLinkifier',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangedLinkifierParams) p: ChangedLinkifierParams): Promise<void> {
    await this.commands.execute(new ChangeLinkifier(by, p.filter_id, inputOf(p)));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('DELETE', 'realm/filters/:filter_id', {
    audience: 'administrators',
    section: 'whole-interface 1',
    summary: 'Remove a linkifier',
    command: 'RemoveLinkifier',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(LinkifierParams) { filter_id }: LinkifierParams): Promise<void> {
    await this.commands.execute(new RemoveLinkifier(by, filter_id));
  }
}
