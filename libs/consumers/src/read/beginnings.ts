import { Kernel, Moments } from '@annals/kernel';
import type { Moment, Position, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** Where a consumer begins to read: after a moment, after everything that there is, or before it. */
export type Beginning = Moment | 'now' | 'beginning';

/** Finds where consumers begin. */
@Injectable()
export class Beginnings {
  constructor(
    private readonly kernel: Kernel,
    private readonly moments: Moments,
  ) {}

  /** The position after which a consumer reads. @throws Rejected BAD_MOMENT */
  async position(realmId: RealmId, beginning: Beginning): Promise<Position> {
    if (beginning === 'beginning') return 0 as Position;
    if (beginning !== 'now') return (await this.moments.resolve(realmId, beginning)).position;
    return (await this.kernel.events.heads([realmId])).get(realmId) ?? (0 as Position);
  }
}
