import type { RealmId } from '../domain/index';
import type { FolderSize } from '../files/file-store';

/** Files with words of organizations that are not in the file store, and which a deletion has to find too. */
export abstract class OtherFiles {
  abstract measure(realmId: RealmId): Promise<FolderSize>;

  abstract delete(realmId: RealmId): Promise<void>;
}
