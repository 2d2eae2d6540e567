import { Readable } from 'node:stream';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { AtRealm, By, Bytes, Endpoint, Info, Params, PathId, PathText, RequestInfo, pictureHeaders } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AvatarPictures } from '../application/profile/avatar-pictures';
import { ChangeOwnAvatar } from '../application/profile/change-own-avatar';
import { reject } from '../domain/rejections';
import type { AvatarSize } from '../read/profile/avatar';
import { avatarUrl } from '../read/profile/avatar';
import { GetUser } from '../read/account/get-users';
import { Viewers } from '../read/account/viewer';
import { AVATAR_LIMIT } from './avatar-limit';

export class AvatarFileParams {
  @PathId() realm_id: RealmId;
  @PathText() file: string;
}

export class AvatarParams {
  @PathText({ min: 1 }) user: string;
}

const shownAvatar = t.Object({ avatar_url: t.String() });

@Controller()
export class AvatarsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly viewers: Viewers,
    private readonly pictures: AvatarPictures,
  ) {}

  /** contract/users.md section 6 */
  @Endpoint('POST', 'users/me/avatar', {
    audience: 'anyone',
    section: 'users 6',
    summary: 'Show a picture of your own',
    command: 'ChangeOwnAvatar',
    files: AVATAR_LIMIT,
    returns: shownAvatar,
  })
  async set(@By() by: Actor, @Info() info: RequestInfo) {
    const { attached } = info;
    if (!attached) throw reject.oneAvatar();
    await this.commands.execute(new ChangeOwnAvatar(by, attached));
    return this.shown(by);
  }

  /** contract/users.md section 6 */
  @Endpoint('DELETE', 'users/me/avatar', {
    audience: 'anyone',
    section: 'users 6',
    summary: 'Remove the picture of your own, so that the default one is shown again',
    command: 'ChangeOwnAvatar',
    returns: shownAvatar,
  })
  async remove(@By() by: Actor) {
    await this.commands.execute(new ChangeOwnAvatar(by, null));
    return this.shown(by);
  }

  /** contract/boot.md section 3 */
  @Endpoint('GET', 'avatar/:user', {
    audience: 'public-access',
    section: 'boot 3',
    summary: 'Where somebody’s picture is, by id or address',
    root: true,
    returns: null,
  })
  avatar(@By() by: Actor, @Params(AvatarParams) { user }: AvatarParams) {
    return this.redirect(by, user, 'small');
  }

  /** contract/boot.md section 3 */
  @Endpoint('GET', 'avatar/:user/medium', {
    audience: 'public-access',
    section: 'boot 3',
    summary: 'Where somebody’s picture is in medium size',
    root: true,
    returns: null,
  })
  medium(@By() by: Actor, @Params(AvatarParams) { user }: AvatarParams) {
    return this.redirect(by, user, 'medium');
  }

  /** contract/boot.md section 3 */
  @Endpoint('GET', 'user_avatars/:realm_id/:file', {
    audience: 'public',
    section: 'boot 3',
    summary: 'The picture of an account',
    addressQuota: 'files',
    root: true,
    returns: null,
  })
  async picture(@AtRealm() realmId: RealmId, @Params(AvatarFileParams) p: AvatarFileParams, @Info() info: RequestInfo) {
    const bytes = p.realm_id === realmId ? await this.pictures.bytesOf(realmId, p.file) : null;
    if (!bytes) throw reject.noSuchAvatar();
    const content = Readable.from(info.wantsHeadersOnly ? [] : [bytes]);
    return new Bytes(200, pictureHeaders('image/png', bytes.length), content);
  }

  private async shown(by: Actor) {
    return { avatar_url: await this.urlOf(by, String(by.userId), 'small') };
  }

  private async urlOf(by: Actor, named: string, size: AvatarSize): Promise<string> {
    return avatarUrl(await this.queries.execute(new GetUser(by, named)), await this.viewers.of(by), size);
  }

  /** For a while only, because the picture may change. */
  private async redirect(by: Actor, named: string, size: AvatarSize): Promise<Bytes> {
    const Location = await this.urlOf(by, named, size);
    return new Bytes(302, { Location, 'Content-Length': '0', 'Cache-Control': 'private, no-cache' }, Readable.from([]));
  }
}
