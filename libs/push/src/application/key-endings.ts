import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { KeyEndings } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { dropSecrets, endAll } from './registrations';

/** A new API key ends all push registrations, because the old key may have been stolen. */
@Injectable()
export class RegistrationsEndWithKeys extends KeyEndings {
  override ended(work: Work, userId: UserId): Promise<void> {
    return endAll(work, userId);
  }

  override profileDeleted(work: Work, userId: UserId): Promise<void> {
    return dropSecrets(work, userId);
  }
}
