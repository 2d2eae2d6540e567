import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Origin, RealmId, UserId } from '@annals/kernel/domain';
import { PASSWORD } from '@annals/realm';
import { Passwords, ensureStrong } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { complete, registrationAggregate } from '../domain/registration';
import { reject } from '../domain/rejections';
import { Joining } from './joining';
import { OpenLinks } from './open-links';
import { JoinTokens } from './tokens';

/** Somebody opens an account by the link in a mail that an invitation or their own request sent. */
export class Join extends Command<UserId> {
  constructor(
    readonly realmId: RealmId,
    readonly token: string,
    readonly fullName: string,
    readonly password: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(Join)
export class JoinHandler implements ICommandHandler<Join> {
  constructor(
    private readonly kernel: Kernel,
    private readonly links: OpenLinks,
    private readonly joining: Joining,
    private readonly passwords: Passwords,
    private readonly tokens: JoinTokens,
  ) {}

  /** @throws Rejected as `Joining.join`, for a weak password, and 404 for a link that is of no use */
  async execute(command: Join): Promise<UserId> {
    const { realmId, token, password, origin } = command;
    // A password is hashed at some cost, so the link must be good.
    const { kind } = await this.links.find(realmId, token);
    if (kind === 'link') throw reject.deadLink();
    const userId = await this.kernel.ids.next(realmId, 'user');
    const secret = await this.passwords.secretOf(userId, password);
    await this.kernel.work.run({ realmId, userId: null, origin }, (work) =>
      this.join(work, command, { userId, secret }),
    );
    return userId;
  }

  private async join(
    work: Work,
    { token, fullName, password }: Join,
    { userId, secret }: { readonly userId: UserId; readonly secret: Awaited<ReturnType<Passwords['secretOf']>> },
  ): Promise<void> {
    const link = await this.links.findIn(work, token);
    if (link.kind === 'link') throw reject.deadLink();
    const { email, invitationId, registrationId } = link;
    ensureStrong(password, PASSWORD, [email, fullName]);
    await this.joining.join(work, { userId, email, fullName, password: secret, isPresent: true }, invitationId);
    if (registrationId === null) return;
    await work.decide(registrationAggregate, registrationId, (state) => complete(state, userId, work.at));
    work.secret(this.tokens.drop('registration', registrationId));
  }
}
