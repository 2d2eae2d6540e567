import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { KeyEndings } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { dropSecrets, endAll } from './registrations';

/** Whoever takes another key because the old one got into other hands takes notifications away from those hands too. */
@Injectable()
export class RegistrationsEndWithKeys extends KeyEndings {
  override ended(work: Work, userId: UserId): Promise<void> {
    return endAll(work, userId);
  }

  override forgotten(work: Work, userId: UserId): Promise<void> {
    return dropSecrets(work, userId);
  }
}
