import type { DefaultGroupRow } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import { Rejected } from '@annals/kernel/domain';
import { runAsVisitor } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ProvenLogin } from './proven-login';
import { SignOnAccounts } from './sign-on-accounts';
import type { Granted } from './sign-on-grants';
import { SignOnGrants } from './sign-on-grants';
import type { JoiningForm } from './sign-on-joining';
import { SignOnJoining } from './sign-on-joining';
import { WaitingJoiners } from './waiting-joiners';

/** Somebody without an account, who is asked whether they want one. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly email: string;
  readonly fullName: string | null;
  /** The groups of default channels that they may choose from. */
  readonly offered: readonly DefaultGroupRow[];
  /** With it they may open the account, in this browser. */
  readonly token: string;
}

/** Logs somebody in whom another system has proved. */
export class FinishSignOn extends Command<Granted | Unknown> {
  constructor(readonly login: ProvenLogin) {
    super();
  }
}

@CommandHandler(FinishSignOn)
export class FinishSignOnHandler implements ICommandHandler<FinishSignOn> {
  constructor(
    private readonly kernel: Kernel,
    private readonly accounts: SignOnAccounts,
    private readonly grants: SignOnGrants,
    private readonly joining: SignOnJoining,
    private readonly waiting: WaitingJoiners,
  ) {}

  async execute({ login }: FinishSignOn): Promise<Granted | Unknown> {
    const known = await this.logIn(login);
    if (known) return known;
    const { realmId, person, to } = login;
    if (person.joinsAtOnce && person.fullName !== null) {
      const joined = await this.joined(login, { fullName: person.fullName, channelGroups: [] });
      if (joined) return joined;
    }
    const email = person.verifiedEmail ?? '';
    await this.joining.ensureAllowed(login);
    const token = await this.waiting.begin(realmId, { person, to });
    const offered = await this.joining.choicesOf(login);
    return { kind: 'unknown', email, fullName: person.fullName, offered, token };
  }

  private async logIn({ realmId, person, to, origin, former }: ProvenLogin): Promise<Granted | null> {
    await this.kernel.fence.reach(realmId);
    const granted = await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      const userId = await this.accounts.accountFor(work, person);
      return userId === null ? null : this.grants.grant(work, userId, { way: person, to, former });
    });
    return granted && granted();
  }

  /** Null when the name cannot be one here: the person is asked for another. */
  private async joined(login: ProvenLogin, form: JoiningForm): Promise<Granted | null> {
    try {
      return await this.joining.join(login, form);
    } catch (error) {
      if (error instanceof Rejected && error.code === 'BAD_REQUEST') return null;
      throw error;
    }
  }
}

/** Opens an account for somebody whom another system has proved, and who wants one. Logs them in. */
export class JoinBySignOn extends Command<Granted> {
  constructor(
    readonly token: string,
    readonly form: JoiningForm,
    readonly browser: Pick<ProvenLogin, 'realmId' | 'origin' | 'former'>,
  ) {
    super();
  }
}

@CommandHandler(JoinBySignOn)
export class JoinBySignOnHandler implements ICommandHandler<JoinBySignOn> {
  constructor(
    private readonly waiting: WaitingJoiners,
    private readonly joining: SignOnJoining,
  ) {}

  /** @throws Rejected when the organization does not allow it, or the name. Then it can be tried again */
  async execute({ token, form, browser }: JoinBySignOn): Promise<Granted> {
    const joiner = await this.waiting.of(browser.realmId, token);
    const granted = await this.joining.join({ ...browser, ...joiner }, form);
    await this.waiting.end(browser.realmId, token);
    return granted;
  }
}
