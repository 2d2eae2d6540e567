import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { MutingEvent } from '../../domain/muting/muting-events';
import type { MuteSpan } from './muted-users';
import { readMuteSpans } from './muted-users';

const NOBODY: readonly MuteSpan[] = [];

/** Which users had which others muted, and when, cached in the process. Exact after the fence. */
@Injectable()
export class MutedUserFacts {
  private readonly spans: FactCache<readonly MuteSpan[]>;

  constructor(kernel: Kernel) {
    this.spans = kernel.facts<readonly MuteSpan[]>({
      touched: (event) => (isMuting(event) ? [event.data.userId] : []),
      load: async (realmId, keys) => {
        const spans = await readMuteSpans(kernel.database.pool, realmId, keys.map(Number) as UserId[]);
        return grouped(spans, ({ userId }) => String(userId));
      },
    });
  }

  async of(realmId: RealmId, userId: UserId): Promise<readonly MuteSpan[]> {
    return (await this.spans.get(realmId, userId)) ?? NOBODY;
  }
}

const isMuting = (event: Recorded): event is Recorded<MutingEvent> =>
  event.type === 'users.UserMuted' || event.type === 'users.UserUnmuted';
