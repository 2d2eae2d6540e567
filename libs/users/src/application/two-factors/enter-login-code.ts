import { UnitOfWork } from '@annals/kernel';
import type { Origin, RealmId } from '@annals/kernel/domain';
import { runAsVisitor } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import { Sessions } from '../sign-in/sessions';
import { PendingLogins } from './pending-logins';
import { SecondFactors } from './second-factors';

/** The code after the password: begins a session of the browser. The result is the value of its cookie. */
export class EnterLoginCode extends Command<string> {
  /**
   * @param pending cookie of the login
   * @param former cookie of the session that the browser has. It ends
   */
  constructor(
    readonly realmId: RealmId,
    readonly pending: string,
    readonly code: string,
    readonly origin: Origin,
    readonly former: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(EnterLoginCode)
export class EnterLoginCodeHandler implements ICommandHandler<EnterLoginCode> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly pending: PendingLogins,
    private readonly factors: SecondFactors,
    private readonly sessions: Sessions,
  ) {}

  execute({ realmId, pending, code, origin, former }: EnterLoginCode): Promise<string> {
    const attempt = { code };
    return runAsVisitor(this.work, { realmId, origin }, async (work) => {
      const login = await this.pending.take(work, 'pending-login', pending);
      if (!login) throw reject.linkNotValid();
      const { userId, method } = login;
      if ((await this.factors.areOn(work, userId)) && !(await this.factors.accept(work, userId, attempt))) {
        throw reject.wrongCode();
      }
      await this.sessions.endFormer(work, former);
      return this.sessions.begin(work, userId, { method });
    });
  }
}
