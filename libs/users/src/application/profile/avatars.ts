import { randomBytes } from 'node:crypto';
import type { Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import type { PictureOwner, ProcessedAvatar } from '@annals/realm';
import { ImageProcessor } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { avatarChanged, isGenerated } from '../../domain/profile/avatar';
import { AVATAR_EDGES, avatarFileOf } from '../../read/profile/avatar';
import { AvatarStore } from './avatar-store';
import { defaultAvatar } from './default-avatar';

/** Stores and deletes the bytes of pictures together with the events that name them. */
@Injectable()
export class Avatars {
  constructor(
    private readonly images: ImageProcessor,
    private readonly bytes: AvatarStore,
  ) {}

  /**
   * Stores a picture before the event that names it, and deletes it if the event is refused.
   *
   * @param by has one picture processed at a time
   * @param act writes the event; receives the name of the files
   * @throws Rejected BAD_IMAGE for bytes that are not a picture, RATE_LIMIT_HIT for too many at once, and the errors of `act`
   */
  async keptFor<T>(by: PictureOwner, picture: Uint8Array, act: (file: string) => Promise<T>): Promise<T> {
    const processed = await this.images.avatar(by, picture, AVATAR_EDGES);
    const file = randomBytes(16).toString('hex');
    return this.bytes.keptFor(by.realmId, filesOf(file, processed), () => act(file));
  }

  /** To be called before the append that removes a picture: if a crash prevents `discard`, the sweep deletes the files. */
  async unsettle(realmId: RealmId, file: string | null): Promise<void> {
    if (hasFiles(file)) await this.each(file, (name) => this.bytes.unsettle(realmId, name));
  }

  /** Deletes the files of a removed picture, after the append. Errors are left to the sweep. */
  async discard(realmId: RealmId, file: string | null): Promise<void> {
    if (!hasFiles(file)) return;
    await this.each(file, (name) => this.bytes.discard(realmId, name)).catch(() => undefined);
  }

  /**
   * Removes the picture of an account in a unit of work. It then has the default one of the organization.
   *
   * @returns the file to `discard` after the append; null without a picture
   */
  async takenFrom(work: Work, userId: UserId): Promise<string | null> {
    return this.givenTo(work, userId, await defaultAvatar(work, userId));
  }

  /**
   * Gives an account another picture in a unit of work.
   *
   * @param file the name of the files, or of a generated picture. Null for that of the Gravatar service
   * @returns the file to `discard` after the append; null if there was none
   */
  async givenTo(work: Work, userId: UserId, file: string | null): Promise<string | null> {
    const account = await work.read(userAggregate, userId);
    await work.decide(userAggregate, userId, (state) => (state ? avatarChanged(state, file) : []));
    const previous = account?.avatar.file ?? null;
    await this.unsettle(work.realmId, previous);
    return previous;
  }

  private async each(file: string, act: (name: string) => Promise<void>): Promise<void> {
    await act(avatarFileOf(file, 'small'));
    await act(avatarFileOf(file, 'medium'));
  }
}

/** A generated picture has none. */
const hasFiles = (file: string | null): file is string => file !== null && !isGenerated(file);

const filesOf = (file: string, { small, medium }: ProcessedAvatar): ReadonlyMap<string, Uint8Array> =>
  new Map([
    [avatarFileOf(file, 'small'), small],
    [avatarFileOf(file, 'medium'), medium],
  ]);
