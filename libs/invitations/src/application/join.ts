import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Origin, RealmId, UserId } from '@annals/kernel/domain';
import { AuthenticationMethods, PASSWORD, runAsVisitor } from '@annals/realm';
import type { PasswordSecret } from '@annals/users';
import { Passwords, Sessions, ensureStrong } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../domain/rejections';
import { Joining } from './joining';
import { OpenLinks } from './open-links';

/** What somebody who joins has entered. */
export interface JoinInput {
  readonly realmId: RealmId;
  readonly token: string;
  readonly fullName: string;
  readonly password: string;
  /** Groups of default channels that they chose. */
  readonly channelGroups: readonly number[];
  readonly origin: Origin;
}

/**
 * Somebody opens an account with a password by the link in a mail, which an invitation or their own request sent, and is
 * logged in. Returns the cookie of the session.
 */
export class Join extends Command<{ readonly userId: UserId; readonly cookie: string }> {
  constructor(
    readonly input: JoinInput,
    /** The session that the browser had before. */
    readonly former?: string,
  ) {
    super();
  }
}

interface Prepared {
  readonly userId: UserId;
  readonly secret: PasswordSecret;
}

@CommandHandler(Join)
export class JoinHandler implements ICommandHandler<Join> {
  constructor(
    private readonly kernel: Kernel,
    private readonly links: OpenLinks,
    private readonly joining: Joining,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly methods: AuthenticationMethods,
  ) {}

  /** @throws Rejected as `Joining.join`, for a weak password, and 404 for a link that is of no use */
  async execute({ input, former }: Join) {
    const { realmId, token, password, origin } = input;
    if (!(await this.methods.isOn(realmId, 'Email'))) throw reject.passwordsOff();
    // A password is hashed at some cost, so the link must be good.
    const { kind } = await this.links.find(realmId, token);
    if (kind === 'link') throw reject.deadLink();
    const userId = await this.kernel.ids.next(realmId, 'user');
    const secret = await this.passwords.secretOf(userId, password);
    const cookie = await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      await this.join(work, input, { userId, secret });
      await this.sessions.endFormer(work, former);
      return this.sessions.begin(work, userId, { method: 'Email' });
    });
    return { userId, cookie };
  }

  private async join(
    work: Work,
    { token, fullName, password, channelGroups }: JoinInput,
    { userId, secret }: Prepared,
  ): Promise<void> {
    if (!(await this.methods.isOnIn(work, 'Email'))) throw reject.passwordsOff();
    const link = await this.links.findIn(work, token);
    if (link.kind === 'link') throw reject.deadLink();
    const { email, invitationId } = link;
    ensureStrong(password, PASSWORD, [email, fullName]);
    const newcomer = { userId, email, fullName, password: secret, isPresent: true, channelGroups };
    await this.joining.join(work, newcomer, invitationId);
    await this.links.complete(work, link, userId);
  }
}
