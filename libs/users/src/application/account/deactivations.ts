import type { Work } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { deactivateAccount, userAggregate } from '../../domain/account/account';
import { revokeKeys } from '../../domain/account/account-lifecycle';
import { apiKeySecret } from '../../read/account/api-key';
import { stillActive } from '../guards';
import { KeyEndings } from '../sign-in/key-endings';
import { Sessions } from '../sign-in/sessions';
import { endUnfinished } from '../sign-in/unfinished';
import { endBots } from './deactivate-self';
import { Uniqueness } from './uniqueness';

/** Deactivates accounts of people within a unit of work. */
@Injectable()
export class Deactivations {
  constructor(
    private readonly uniqueness: Uniqueness,
    private readonly endings: KeyEndings,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Deactivates the bots of a person, and then the account, whose sessions end.
   *
   * @param by an administrator, or a directory with `DIRECTORY_RIGHTS`
   * @returns the accounts that were active
   * @throws Rejected for the only owner, and for what is no active account of a person
   */
  async deactivate(work: Work, userId: UserId, by: Pick<Actor, 'role'>): Promise<readonly UserId[]> {
    const account = await work.read(userAggregate, userId);
    const isLastOwner = await this.uniqueness.isLastOwner(work, account);
    const bots = await endBots(work, account?.bots ?? []);
    await work.decide(userAggregate, userId, (state) => deactivateAccount(state, by, { isLastOwner }));
    await this.sessions.endAll(work, userId, 'deactivation');
    endUnfinished(work, userId);
    work.changesGuard(stillActive, userId);
    return [...bots, userId];
  }

  /** The same for an account that this unit of work opens. It is not among the owners yet, whatever its role is. */
  async deactivateNew(work: Work, userId: UserId, by: Pick<Actor, 'role'>): Promise<void> {
    await work.decide(userAggregate, userId, (state) => deactivateAccount(state, by, { isLastOwner: false }));
    work.changesGuard(stillActive, userId);
  }

  /** Ends all keys of an account for good, so that none is valid again after a reactivation. */
  async revokeKeys(work: Work, userId: UserId): Promise<void> {
    for (const fact of await work.decide(userAggregate, userId, revokeKeys)) {
      if (fact.type !== 'users.ApiKeysRevoked') continue;
      for (const id of fact.data.keyIds) work.secret({ drop: apiKeySecret(id) });
    }
    await this.endings.ended(work, userId);
  }
}
