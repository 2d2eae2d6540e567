import type { Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import type { DeletedParts } from '../../domain/account/account-lifecycle';
import { deleteWith } from '../../domain/account/account-lifecycle';
import { apiKeySecret } from '../../read/account/api-key';
import { botTokenSecret } from '../../read/bot/bot-webhooks';
import { Avatars } from '../profile/avatars';
import { KeyEndings } from '../sign-in/key-endings';
import { passwordSecret } from '../sign-in/passwords';
import { endUnfinished } from '../sign-in/unfinished';
import { appSecret, guessesSecret, recoverySecret } from '../two-factors/second-factors';

/** Deletes what a request deletes with an account. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly avatars: Avatars,
    private readonly endings: KeyEndings,
  ) {}

  /**
   * Applies the requested deletions to an account that was just deactivated; with the profile, its picture, password,
   * keys, token and push registrations are deleted.
   *
   * @returns the picture to `discard` after the append; null without one
   */
  async deleteWith(work: Work, userId: UserId, deletions: DeletedParts): Promise<string | null> {
    const picture = deletions.profile ? await this.avatars.takenFrom(work, userId) : null;
    const facts = await work.decide(userAggregate, userId, (state) => deleteWith(state, deletions));
    for (const fact of facts) {
      if (fact.type === 'users.ApiKeysRevoked')
        for (const id of fact.data.keyIds) work.secret({ drop: apiKeySecret(id) });
      if (fact.type === 'users.ProfileDeleted') {
        work.secret({ drop: passwordSecret(userId) });
        work.secret({ drop: botTokenSecret(userId) });
        endUnfinished(work, userId);
        for (const drop of [appSecret, recoverySecret, guessesSecret].map((name) => name(userId)))
          work.secret({ drop });
      }
    }
    if (deletions.profile) await this.endings.profileDeleted(work, userId);
    return picture;
  }

  /** Deletes the files of pictures, after the append. */
  async discard(realmId: RealmId, pictures: readonly (string | null)[]): Promise<void> {
    for (const picture of pictures) await this.avatars.discard(realmId, picture);
  }
}
