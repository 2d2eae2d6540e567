import type { RealmFront } from '@annals/kernel';
import { FactCache, Kernel, RealmFronts } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../domain/rejections';
import type { RealmRow } from './realm-row';
import { readRealm } from './realm-row';

const ONLY = 'realm';

/** Organizations, cached in the process. Exact after the fence. */
@Injectable()
export class RealmFacts {
  private readonly realms: FactCache<RealmRow>;

  constructor(kernel: Kernel) {
    this.realms = kernel.facts<RealmRow>({
      touched: ({ type }) => (type.startsWith('realm.') ? [ONLY] : []),
      load: async (realmId) => {
        const row = await readRealm(kernel.database.pool, realmId);
        return new Map(row ? [[ONLY, row]] : []);
      },
    });
  }

  /** @throws Rejected NONEXISTENT_SUBDOMAIN when there is no such organization */
  async of(realmId: RealmId): Promise<RealmRow> {
    const row = await this.realms.get(realmId, ONLY);
    if (!row) throw reject.noSuchOrganization();
    return row;
  }
}

/** How an organization presents itself on its pages. */
@Injectable()
export class FrontsOfRealms extends RealmFronts {
  constructor(private readonly realms: RealmFacts) {
    super();
  }

  override async of(realmId: RealmId): Promise<RealmFront> {
    const { settings, texts } = await this.realms.of(realmId);
    return { name: texts.name, language: settings.default_language };
  }
}
