import { Kernel } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { LdapDirectory } from '@annals/sign-in';
import { DirectoryLinks, pictureDigest, readPictures } from '@annals/sign-in';
import { Avatars } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { DirectoryChange, DirectoryProblem } from '../../domain/ldap/directory-change';
import type { SyncRun } from './account-changes';
import { LogRoom } from './log-room';

/** What a run made of the pictures of a directory. */
export interface TakenPictures {
  /** The entries whose pictures were taken. */
  readonly taken: ReadonlySet<string>;
  readonly problems: readonly DirectoryProblem[];
  /** Why the log has no room for more. Null if it has. */
  readonly full: string | null;
  /** Whether the run ended before the last one. */
  readonly isCut: boolean;
}

/** Takes pictures from a directory, which are checked and resized like those that people upload. */
@Injectable()
export class PictureChanges {
  constructor(
    private readonly kernel: Kernel,
    private readonly avatars: Avatars,
    private readonly links: DirectoryLinks,
    private readonly room: LogRoom,
  ) {}

  /**
   * A dry run does not read the pictures.
   *
   * @param isOver asked before each picture
   * @throws DirectoryAway when the directory gives no answer
   */
  async apply(
    changes: readonly DirectoryChange[],
    directory: LdapDirectory,
    options: SyncRun,
    isOver: () => boolean,
  ): Promise<TakenPictures> {
    const users = new Map(
      changes.flatMap(({ dn, userId, pictureDigest: digest }) =>
        digest === undefined || dn === null ? [] : [[dn, userId] as const],
      ),
    );
    if (options.isDryRun) return { taken: new Set(users.keys()), problems: [], full: null, isCut: false };
    const problems: DirectoryProblem[] = [];
    const taken = new Set<string>();
    for await (const { dn, picture } of readPictures(directory, [...users.keys()])) {
      if (isOver()) return { taken, problems, full: null, isCut: true };
      const userId = users.get(dn);
      if (userId === undefined || picture === null) continue;
      const full = await this.room.refusal(options.by.realmId);
      if (full !== null) return { taken, problems, full, isCut: false };
      const reason = await this.take(userId, picture, options);
      if (reason === null) taken.add(dn);
      else problems.push({ about: dn, reason });
    }
    return { taken, problems, full: null, isCut: false };
  }

  /** @returns why it was refused. Null if it was not */
  private async take(userId: UserId, picture: Uint8Array, { by, directory }: SyncRun): Promise<string | null> {
    const digest = pictureDigest(picture);
    try {
      const { realmId } = by;
      const previous = await this.avatars.keptFor({ realmId, userId }, picture, (file) =>
        this.kernel.work.run(by, async (work) => {
          await this.links.pictureTaken(work, userId, { directory, digest });
          return this.avatars.givenTo(work, userId, file);
        }),
      );
      await this.avatars.discard(by.realmId, previous);
      return null;
    } catch (error) {
      if (error instanceof Rejected) return `the picture cannot be used: ${error.message}`;
      throw error;
    }
  }
}
