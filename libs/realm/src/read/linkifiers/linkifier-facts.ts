import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { LinkifierSet } from '@annals/markdown';
import { NO_LINKIFIERS } from '@annals/markdown';
import { Injectable } from '@nestjs/common';
import { readLinkifierSet } from './linkifiers';

const ALL = 'linkifiers';
/** Compiled patterns are kept beside the facts, so that organizations share them. */
const SET_BYTES = 5_000;

/** The linkifiers of organizations, ready for matching. Cached in the process, exact after the fence. */
@Injectable()
export class LinkifierFacts {
  private readonly sets: FactCache<LinkifierSet>;

  constructor(kernel: Kernel) {
    this.sets = kernel.facts<LinkifierSet>({
      touched: ({ type }) => (type.startsWith('realm.Linkifier') ? [ALL] : []),
      load: async (realmId) => new Map([[ALL, await readLinkifierSet(kernel.database.pool, realmId)]]),
      bytesOf: () => SET_BYTES,
    });
  }

  async of(realmId: RealmId): Promise<LinkifierSet> {
    return (await this.sets.get(realmId, ALL)) ?? NO_LINKIFIERS;
  }
}
