import type { Actor } from '@annals/kernel/domain';
import { nullable, t } from '@annals/kernel/domain';
import { BooleanParam, By, Endpoint, Params, PathText, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AddNavigationView, ChangeNavigationView, RemoveNavigationView } from '../application/navigation-views';
import { ListNavigationViews, presentView } from '../read/navigation-views';

const FRAGMENT = { trim: true, min: 1, max: 2048 } as const;
const NAME = { trim: true, min: 1, max: 100 } as const;

export class NewViewParams {
  @TextParam(FRAGMENT) fragment: string;
  @BooleanParam() is_pinned: boolean;
  @TextParam({ ...NAME, optional: true }) name?: string;
}

export class ViewParams {
  @PathText({ ...FRAGMENT, about: 'May contain slashes, as they are or as `%2F`.' }) fragment: string;
}

export class ChangedViewParams extends ViewParams {
  @BooleanParam({ optional: true }) is_pinned?: boolean;
  @TextParam({ ...NAME, optional: true }) name?: string;
}

const viewShape = t.Object(
  { fragment: t.String(), is_pinned: t.Boolean(), name: nullable(t.String()) },
  { $id: 'NavigationView' },
);

@Controller()
export class NavigationViewsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/navigation-snippets-domains.md section 1 */
  @Endpoint('GET', 'navigation_views', {
    audience: 'anyone',
    section: 'navigation-snippets-domains 1',
    summary: 'Own views of the menu',
    returns: t.Object({ navigation_views: t.Array(viewShape) }),
  })
  async list(@By() by: Actor) {
    return { navigation_views: (await this.queries.execute(new ListNavigationViews(by))).map(presentView) };
  }

  /** contract/navigation-snippets-domains.md section 1 */
  @Endpoint('POST', 'navigation_views', {
    audience: 'anyone',
    section: 'navigation-snippets-domains 1',
    summary: 'Add a view to the menu',
    command: 'AddNavigationView',
    returns: null,
  })
  async add(@By() by: Actor, @Params(NewViewParams) p: NewViewParams): Promise<void> {
    const view = { fragment: p.fragment, isPinned: p.is_pinned, name: p.name ?? null };
    await this.commands.execute(new AddNavigationView(by, view));
  }

  /** INTERFACE.md 4.15 */
  @Endpoint('PATCH', 'navigation_views/*fragment', {
    audience: 'anyone',
    section: '4.15',
    summary: 'Update a navigation view',
    command: 'ChangeNavigationView',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangedViewParams) p: ChangedViewParams): Promise<void> {
    const change = { isPinned: p.is_pinned, name: p.name };
    await this.commands.execute(new ChangeNavigationView(by, p.fragment, change));
  }

  /** contract/navigation-snippets-domains.md section 1 */
  @Endpoint('DELETE', 'navigation_views/*fragment', {
    audience: 'anyone',
    section: 'navigation-snippets-domains 1',
    summary: 'Remove a navigation view',
    command: 'RemoveNavigationView',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(ViewParams) { fragment }: ViewParams): Promise<void> {
    await this.commands.execute(new RemoveNavigationView(by, fragment));
  }
}
