import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import type { SessionEnding, SessionId } from '../../domain/sign-in/session-events';
import type { EnteredPassword } from './password-checks';
import { PendingLogins } from '../two-factors/pending-logins';
import { PasswordLogin } from './password-login';
import { Sessions } from './sessions';

/** The value of a cookie: of a session, or of a login that needs a code too. */
export interface BrowserLogin {
  readonly cookie: string;
  readonly isPending: boolean;
}

/** Begins a session of a browser with a name and a password. */
export class LogInBrowser extends Command<BrowserLogin> {
  /** @param former cookie of the session that the browser has. It ends */
  constructor(
    readonly entered: EnteredPassword,
    readonly former: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(LogInBrowser)
export class LogInBrowserHandler implements ICommandHandler<LogInBrowser> {
  constructor(
    private readonly logins: PasswordLogin,
    private readonly sessions: Sessions,
    private readonly pending: PendingLogins,
  ) {}

  execute({ entered, former }: LogInBrowser): Promise<BrowserLogin> {
    return this.logins.run<BrowserLogin>(entered, {
      done: async (work, userId, method) => {
        await this.sessions.endFormer(work, former);
        return { cookie: await this.sessions.begin(work, userId, { method }), isPending: false };
      },
      withoutCode: (work, userId, method) => {
        const cookie = this.pending.begin(work, 'pending-login', { userId, method, provider: null });
        return Promise.resolve({ cookie, isPending: true });
      },
    });
  }
}

/** Ends a session of the actor, for example the one of the request: the person logs out. */
export class EndSession extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly sessionId: number,
  ) {
    super();
  }
}

@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessions: Sessions,
  ) {}

  async execute({ by, sessionId }: EndSession): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId, sessionId: own } = work.actor;
      if (!Number.isSafeInteger(sessionId)) throw reject.noSuchSession();
      const because: SessionEnding = sessionId === own ? 'logout' : 'ended';
      await this.sessions.endOne(work, { userId, sessionId: sessionId as SessionId }, because);
    });
  }
}
