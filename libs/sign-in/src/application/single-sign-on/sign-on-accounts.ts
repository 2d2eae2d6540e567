import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { AuthenticationMethods } from '@annals/realm';
import type { Account } from '@annals/users';
import { UserFacts, isActive, isSameEmail, userAggregate } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { ProvenPerson } from '../../domain/single-sign-on/flow';
import type { ProviderIdentity } from '../../domain/single-sign-on/identities';
import { identitiesAggregate, isLinked, linkIdentity } from '../../domain/single-sign-on/identities';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import { readAccountOf } from '../../read/single-sign-on/identities';
import { identityFree, identityKey } from './guards';

/** Which account somebody has whom another system proved (decision 71). */
@Injectable()
export class SignOnAccounts {
  constructor(
    private readonly kernel: Kernel,
    private readonly facts: UserFacts,
    private readonly methods: AuthenticationMethods,
  ) {}

  /**
   * The account of the person: the one that is linked to the identity, otherwise the one with the verified address, which is linked
   * from now on. Null if no account has the address.
   *
   * @throws Rejected when the person may not log in, or the system does not vouch for an address
   */
  async accountFor(work: Work, { method, identity, verifiedEmail }: ProvenPerson): Promise<UserId | null> {
    if (!(await this.methods.isOnIn(work, method))) throw reject.methodOff();
    const linked = identity && (await this.linkedTo(work, identity));
    if (linked !== null) {
      ensureMayLogIn(await work.read(userAggregate, linked));
      return linked;
    }
    if (verifiedEmail === null) throw reject.addressUnverified();
    return this.withAddress(work, verifiedEmail, identity);
  }

  /** Links a new account. @throws Rejected when the identity got another account meanwhile */
  async link(work: Work, userId: UserId, identity: ProviderIdentity): Promise<void> {
    await work.decide(identitiesAggregate, userId, (state) => linkIdentity(state, userId, identity));
    const key = identityKey(identity);
    work.guard(identityFree, key);
    work.changesGuard(identityFree, key);
  }

  private async linkedTo(work: Work, identity: ProviderIdentity): Promise<UserId | null> {
    const userId = await readAccountOf(this.kernel.database.pool, work.realmId, identity);
    if (userId === null) return null;
    // The read model may be ahead of what the append depends on.
    return isLinked(await work.read(identitiesAggregate, userId), identity) ? userId : null;
  }

  private async withAddress(work: Work, email: string, identity: ProviderIdentity | null): Promise<UserId | null> {
    const userId = await this.facts.idByEmail(work.realmId, email);
    if (userId === undefined) return null;
    const account = await work.read(userAggregate, userId);
    if (account?.email == null || !isSameEmail(account.email, email)) throw reject.addressLooksAlike();
    ensureMayLogIn(account);
    if (identity) await this.link(work, userId, identity);
    return userId;
  }
}

/** @throws Rejected for a bot, and for an account that has ended */
export function ensureMayLogIn(account: Account | null): void {
  if (!account || account.isSystemBot || account.botType !== null) throw reject.ofBot();
  if (!isActive(account)) throw reject.accountDeactivated();
}
