import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { PeopleQuota, limitsOf } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import { PEOPLE, peopleRoom } from '../guards';

/** Counts the active accounts of people, also under the lock of the organization. */
@Injectable()
export class GuardedPeopleQuota extends PeopleQuota {
  constructor(private readonly kernel: Kernel) {
    super();
  }

  override async ensureRoom(work: Work): Promise<void> {
    work.changesGuard(peopleRoom, PEOPLE);
    const { people: limit } = await limitsOf(work);
    if (limit === null) return;
    if ((await this.count(work.realmId)) >= limit) throw reject.noRoomForPeople({ limit });
    work.guard(peopleRoom, limit);
  }

  private async count(realmId: RealmId): Promise<number> {
    const { rows } = await this.kernel.database.pool.query<{ people: number }>({
      name: 'people-of-realm',
      text: `SELECT count(*)::int4 AS people FROM view.users AS u
        WHERE u.realm_id = $1 AND u.is_active AND u.bot_type IS NULL`,
      values: [realmId],
    });
    return rows[0]?.people ?? 0;
  }
}
