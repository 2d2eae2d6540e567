import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { RealmPictures } from '../../domain/pictures/realm-picture';
import { readPictures } from './pictures';

const ALL = 'pictures';

/** The organization's pictures, cached in the process. Exact after the fence. */
@Injectable()
export class PictureFacts {
  private readonly pictures: FactCache<RealmPictures>;

  constructor(kernel: Kernel) {
    this.pictures = kernel.facts<RealmPictures>({
      touched: ({ type }) => (type === 'realm.PictureChanged' ? [ALL] : []),
      load: async (realmId) => new Map([[ALL, await readPictures(kernel.database.pool, realmId)]]),
    });
  }

  async of(realmId: RealmId): Promise<RealmPictures> {
    return (await this.pictures.get(realmId, ALL)) ?? {};
  }
}
