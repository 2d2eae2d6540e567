import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { NavigationView, ViewChange } from '../domain/navigation';
import { addView, changeView, navigationAggregate, removeView } from '../domain/navigation';

/** contract/navigation-snippets-domains.md section 1 */
export class AddNavigationView extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly view: Omit<NavigationView, 'id'>,
  ) {
    super();
  }
}

@CommandHandler(AddNavigationView)
export class AddNavigationViewHandler implements ICommandHandler<AddNavigationView> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, view }: AddNavigationView): Promise<void> {
    const { userId } = by;
    await this.work.run(by, async (work) => {
      await work.decide(navigationAggregate, userId, (views) => addView(views, view, userId));
    });
  }
}

/** INTERFACE.md 4.15 */
export class ChangeNavigationView extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly fragment: string,
    readonly change: ViewChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeNavigationView)
export class ChangeNavigationViewHandler implements ICommandHandler<ChangeNavigationView> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, fragment, change }: ChangeNavigationView): Promise<void> {
    const { userId } = by;
    await this.work.run(by, async (work) => {
      await work.decide(navigationAggregate, userId, (views) => changeView(views, fragment, change, userId));
    });
  }
}

/** contract/navigation-snippets-domains.md section 1 */
export class RemoveNavigationView extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly fragment: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveNavigationView)
export class RemoveNavigationViewHandler implements ICommandHandler<RemoveNavigationView> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, fragment }: RemoveNavigationView): Promise<void> {
    const { userId } = by;
    await this.work.run(by, async (work) => {
      await work.decide(navigationAggregate, userId, (views) => removeView(views, fragment, userId));
    });
  }
}
