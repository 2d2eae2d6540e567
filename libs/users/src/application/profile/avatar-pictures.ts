import { buffer } from 'node:stream/consumers';
import { FileStore, lastUsed } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { isGenerated } from '../../domain/profile/avatar';
import { AVATAR_EDGES, AVATAR_FILE, avatarKey } from '../../read/profile/avatar';
import { seedIn } from '../../read/profile/generated-avatar';

/** Generated pictures that are remembered. Each has some kilobytes. */
const MAX_DRAWN = 500;

/** As the Zulip server draws them: up to the edge, and neither too dark nor too bright for any theme. */
const LOOK = { padding: 0, lightness: { color: [0.3, 0.7], grayscale: [0.3, 0.7] } };

/** The bytes of pictures of accounts: stored ones, and generated ones, which are drawn when somebody looks at them. */
@Injectable()
export class AvatarPictures {
  private readonly drawn = lastUsed<Uint8Array>(MAX_DRAWN);

  constructor(
    private readonly store: FileStore,
    private readonly realms: RealmFacts,
  ) {}

  /**
   * @param name with its size, as in the URL
   * @returns PNG. Null if there is no such picture
   */
  async bytesOf(realmId: RealmId, name: string): Promise<Uint8Array | null> {
    const [isOne, file = '', medium] = AVATAR_FILE.exec(name) ?? [];
    if (isOne === undefined) return null;
    if (isGenerated(file))
      return this.generated(realmId, file, AVATAR_EDGES[medium === undefined ? 'small' : 'medium']);
    const found = await this.store.open(avatarKey(realmId, name));
    return found && buffer(found);
  }

  private async generated(realmId: RealmId, file: string, edge: number): Promise<Uint8Array | null> {
    const { uuid } = await this.realms.of(realmId);
    const seed = seedIn(file, uuid);
    if (seed === null) return null;
    const key = `${seed} ${edge}`;
    const picture = this.drawn.get(key) ?? (await drawn(seed, edge));
    this.drawn.set(key, picture);
    return picture;
  }
}

/** The library is loaded with the first picture, so that the start does not wait for it. */
async function drawn(seed: string, edge: number): Promise<Uint8Array> {
  const { toPng } = await import('jdenticon');
  return toPng(seed, edge, LOOK);
}
