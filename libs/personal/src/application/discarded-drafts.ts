import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { SynchronizedDrafts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { discardDrafts } from '../domain/draft';
import { readDraftIds } from '../read/drafts';
import { draftsKey, draftsKnown } from './guards';

/** Discards the drafts of users whose drafts are not synchronized from now on. */
@Injectable()
export class DiscardedDrafts extends SynchronizedDrafts {
  constructor(private readonly kernel: Kernel) {
    super();
  }

  override async discard(work: Work, userIds: readonly UserId[]): Promise<void> {
    const drafts = await readDraftIds(this.kernel.database.pool, work.realmId, userIds);
    for (const userId of userIds) {
      const ids = drafts.get(userId) ?? [];
      work.guard(draftsKnown, draftsKey(userId, ids.at(-1) ?? 0));
      work.append(`drafts-${userId}`, discardDrafts(userId, ids));
    }
  }
}
