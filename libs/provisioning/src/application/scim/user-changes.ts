import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Reactivations } from '@annals/onboarding';
import type { Account, PasswordSecret } from '@annals/users';
import {
  AccountUpdates,
  DIRECTORY_RIGHTS,
  Deactivations,
  ReplacedPasswords,
  UserFacts,
  isActive,
  userAggregate,
} from '@annals/users';
import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import type { ProvisionedUser } from '../../domain/scim/provisioned';
import { provisionedUserAggregate } from '../../domain/scim/provisioned';
import { reject } from '../../domain/scim/rejections';
import type { UserState } from '../../domain/scim/resource/user-state';
import { orTaken } from './or-taken';

/** Makes accounts of people what a directory says, within a unit of work. */
@Injectable()
export class UserChanges {
  constructor(
    private readonly facts: UserFacts,
    private readonly updates: AccountUpdates,
    private readonly passwords: ReplacedPasswords,
    private readonly deactivations: Deactivations,
    private readonly reactivations: Reactivations,
  ) {}

  /** A person as a directory sees them. Undefined for others. The append depends on the account. */
  async stateOf(work: Work, userId: UserId): Promise<UserState | undefined> {
    const { account, provisioned } = await this.read(work, userId);
    return account && !isRemoved(account, provisioned) ? personOf(account, provisioned) : undefined;
  }

  /** A person whom a directory deleted. Undefined for others. The append depends on the account. */
  async removedStateOf(work: Work, userId: UserId): Promise<UserState | undefined> {
    const { account, provisioned } = await this.read(work, userId);
    return account && isRemoved(account, provisioned) ? personOf(account, provisioned) : undefined;
  }

  /**
   * A person is deactivated before anything else and reactivated after it, so that the rule about the last owner is asked about the
   * role that the account had. With another password the account begins anew, as with a link of a mail.
   *
   * @throws Rejected UNIQUENESS when somebody has the new address, and the refusals of the users context
   */
  async apply(work: Work, userId: UserId, before: UserState, after: UserState, password: PasswordSecret | null) {
    if (after.email !== before.email) await this.ensureFree(work, userId, after.email);
    if (before.isActive && !after.isActive) await this.deactivate(work, userId);
    await this.claiming(work, userId, after.email, () => this.update(work, userId, before, after));
    if (password) await this.passwords.replace(work, userId, password);
    if (!before.isActive && after.isActive) await this.reactivations.reactivate(work, userId, DIRECTORY_RIGHTS);
  }

  /** Does what gives an address to an account. @throws Rejected UNIQUENESS if somebody else has it */
  claiming(work: Work, userId: UserId, email: string, claim: () => Promise<void>): Promise<void> {
    return orTaken(claim, () => this.isTaken(work, userId, email), TAKEN);
  }

  /** Ends the account, its bots, keys, sessions and queues. Its keys stay ended if it comes back. */
  async deactivate(work: Work, userId: UserId): Promise<void> {
    await this.deactivations.deactivate(work, userId, DIRECTORY_RIGHTS);
    await this.deactivations.revokeKeys(work, userId);
  }

  private async update(work: Work, userId: UserId, before: UserState, after: UserState): Promise<void> {
    const wanted = {
      ...(after.fullName !== before.fullName && { fullName: after.fullName }),
      ...(after.role !== before.role && { role: after.role }),
      ...(after.email !== before.email && { email: after.email }),
    };
    if (Object.keys(wanted).length === 0) return;
    await this.updates.follow(work, userId, wanted);
  }

  private async read(work: Work, userId: UserId) {
    const account = await work.read(userAggregate, userId);
    const provisioned = await work.read(provisionedUserAggregate, userId);
    const isPerson = account !== null && account.botType === null && !account.isSystemBot;
    return { account: isPerson && account.status.kind !== 'deleted' ? account : undefined, provisioned };
  }

  private async ensureFree(work: Work, userId: UserId, email: string): Promise<void> {
    ensureEmail(email);
    if (await this.isTaken(work, userId, email)) throw reject.taken({ why: TAKEN });
  }

  private async isTaken(work: Work, userId: UserId, email: string): Promise<boolean> {
    const owner = await this.facts.idByEmail(work.realmId, email);
    return owner !== undefined && owner !== userId;
  }
}

/** @throws Rejected INVALID_VALUE */
export function ensureEmail(email: string): void {
  if (email.length > MAX_EMAIL || !isEmail(email)) throw reject.value({ why: 'userName is no email address.' });
}

const MAX_EMAIL = 254;
const TAKEN = 'Somebody has this userName.';

/** A directory deleted the person since the account was deactivated. */
const isRemoved = ({ status }: Account, { removedAt }: ProvisionedUser): boolean =>
  status.kind === 'deactivated' && removedAt > status.since;

const personOf = (account: Account, { description }: ProvisionedUser): UserState => ({
  email: account.email ?? '',
  fullName: account.fullName,
  isActive: isActive(account),
  role: account.role,
  description,
});
