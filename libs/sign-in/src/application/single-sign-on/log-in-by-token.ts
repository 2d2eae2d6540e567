import { Kernel } from '@annals/kernel';
import type { Origin, RealmId, UserId } from '@annals/kernel/domain';
import { AuthenticationMethods, runAsVisitor } from '@annals/realm';
import { UserFacts, userAggregate } from '@annals/users';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import { isThisMachine } from '../../domain/single-sign-on/this-machine';
import { JwtTokens } from './jwt/jwt-tokens';
import { SignOnAccounts, ensureMayLogIn } from './sign-on-accounts';
import { SignOnKeys } from './sign-on-keys';

/** A key that somebody got without a password. */
export interface IssuedKey {
  readonly userId: UserId;
  readonly apiKey: string;
  readonly email: string;
}

/** Exchanges a JSON Web Token for a key (contract/boot.md section 2.2). */
export class LogInByToken extends Command<IssuedKey> {
  constructor(
    readonly realmId: RealmId,
    readonly token: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(LogInByToken)
export class LogInByTokenHandler implements ICommandHandler<LogInByToken> {
  constructor(
    private readonly kernel: Kernel,
    private readonly tokens: JwtTokens,
    private readonly accounts: SignOnAccounts,
    private readonly keys: SignOnKeys,
    private readonly facts: UserFacts,
  ) {}

  async execute({ realmId, token, origin }: LogInByToken): Promise<IssuedKey> {
    const person = await this.tokens.personOf(realmId, token);
    if (person.verifiedEmail === null) throw reject.unknownPerson();
    const issued = await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      const userId = await this.accounts.accountFor(work, person);
      if (userId === null) throw reject.unknownPerson();
      return { userId, apiKey: await this.keys.key(work, userId, person) };
    });
    return { ...issued, email: await emailOf(this.facts, realmId, issued.userId) };
  }
}

/** Gives a developer of a client a key of any account, if the operator allows that on this machine. */
export class DevLogIn extends Command<IssuedKey> {
  /** @param hostName that of the request. Pages of other sites can have their own name lead to this machine */
  constructor(
    readonly realmId: RealmId,
    readonly email: string,
    readonly origin: Origin,
    readonly hostName: string,
  ) {
    super();
  }
}

@CommandHandler(DevLogIn)
export class DevLogInHandler implements ICommandHandler<DevLogIn> {
  constructor(
    private readonly kernel: Kernel,
    private readonly methods: AuthenticationMethods,
    private readonly keys: SignOnKeys,
    private readonly facts: UserFacts,
  ) {}

  async execute({ realmId, email, origin, hostName }: DevLogIn): Promise<IssuedKey> {
    if (!(await this.methods.isOn(realmId, 'Dev'))) throw reject.devOff();
    if (!isThisMachine(hostName)) throw reject.devElsewhere();
    const userId = await this.facts.idByEmail(realmId, email);
    if (userId === undefined) throw reject.unknownPerson();
    const apiKey = await runAsVisitor(this.kernel.work, { realmId, origin }, async (work) => {
      ensureMayLogIn(await work.read(userAggregate, userId));
      return this.keys.key(work, userId, { method: 'Dev', provider: null });
    });
    return { userId, apiKey, email: await emailOf(this.facts, realmId, userId) };
  }
}

async function emailOf(facts: UserFacts, realmId: RealmId, userId: UserId): Promise<string> {
  const account = await facts.account(realmId, userId);
  if (!account) throw new Error(`account ${userId} is not in the read model`);
  return account.deliveryEmail;
}
