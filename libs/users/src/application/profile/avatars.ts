import { randomBytes } from 'node:crypto';
import type { Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import type { ProcessedAvatar } from '@annals/realm';
import { ImageProcessor } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { avatarChanged } from '../../domain/profile/avatar';
import { AVATAR_EDGES, fileOf } from '../../read/profile/avatar';
import { AvatarStore } from './avatar-store';

/** Stores and deletes the bytes of pictures together with the events that name them. */
@Injectable()
export class Avatars {
  constructor(
    private readonly images: ImageProcessor,
    private readonly bytes: AvatarStore,
  ) {}

  /**
   * Keeps a picture before the event that names it; it goes again when that is refused.
   *
   * @param act writes the event; it is given what the files of the picture are called
   * @throws Rejected BAD_IMAGE for what is no picture, and whatever `act` throws
   */
  async keptFor<T>(realmId: RealmId, picture: Uint8Array, act: (file: string) => Promise<T>): Promise<T> {
    const drawn = await this.images.avatar(picture, AVATAR_EDGES);
    const file = randomBytes(16).toString('hex');
    return this.bytes.keptFor(realmId, filesOf(file, drawn), () => act(file));
  }

  /** Before the append that takes a picture away: what a crash keeps `letGo` from doing, the sweep does. */
  async unsettle(realmId: RealmId, file: string | null): Promise<void> {
    if (file !== null) await this.each(file, (name) => this.bytes.unsettle(realmId, name));
  }

  /** After that append. */
  async letGo(realmId: RealmId, file: string | null): Promise<void> {
    if (file === null) return;
    await this.each(file, (name) => this.bytes.discard(realmId, name)).catch(() => undefined);
  }

  /**
   * Takes the picture of an account away inside a unit of work.
   *
   * @returns what is to be let go of after the append
   */
  async takenFrom(work: Work, userId: UserId): Promise<string | null> {
    const account = await work.read(userAggregate, userId);
    await work.decide(userAggregate, userId, (state) => (state ? avatarChanged(state, null) : []));
    const previous = account?.avatar.file ?? null;
    await this.unsettle(work.realmId, previous);
    return previous;
  }

  private async each(file: string, act: (name: string) => Promise<void>): Promise<void> {
    await act(fileOf(file, 'small'));
    await act(fileOf(file, 'medium'));
  }
}

const filesOf = (file: string, { small, medium }: ProcessedAvatar): ReadonlyMap<string, Uint8Array> =>
  new Map([
    [fileOf(file, 'small'), small],
    [fileOf(file, 'medium'), medium],
  ]);
