import { Kernel } from '@annals/kernel';
import { runAsVisitor } from '@annals/realm';
import { PendingLogins, userAggregate } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import type { ProvenLogin } from './proven-login';
import { ensureMayLogIn } from './sign-on-accounts';
import type { Granted } from './sign-on-grants';
import { SignOnGrants } from './sign-on-grants';

/** Begins a session in a desktop app, with the token that the person copied from the browser. */
export class DesktopLogIn extends Command<Granted> {
  constructor(
    readonly token: string,
    readonly browser: Pick<ProvenLogin, 'realmId' | 'origin' | 'former'>,
  ) {
    super();
  }
}

@CommandHandler(DesktopLogIn)
export class DesktopLogInHandler implements ICommandHandler<DesktopLogIn> {
  constructor(
    private readonly kernel: Kernel,
    private readonly pending: PendingLogins,
    private readonly grants: SignOnGrants,
  ) {}

  async execute({ token, browser: { realmId, origin, former } }: DesktopLogIn): Promise<Granted> {
    const cookie = await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      const login = await this.pending.take(work, 'desktop-login', token);
      if (!login) throw reject.flowEnded();
      ensureMayLogIn(await work.read(userAggregate, login.userId));
      return this.grants.session(work, login.userId, { way: login, former });
    });
    return { kind: 'session', cookie, next: null };
  }
}
