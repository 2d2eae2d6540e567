import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FileStore } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { FileLimit } from '@annals/web';
import {
  AtRealm,
  BooleanParam,
  By,
  Bytes,
  Endpoint,
  Info,
  Params,
  PathId,
  PathText,
  RequestInfo,
  pictureHeaders,
} from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangePicture } from '../application/change-picture';
import type { PictureName } from '../domain/pictures/realm-picture-events';
import { reject } from '../domain/rejections';
import { PICTURE_FILE, pictureKey, pictureUrl } from '../read/pictures/pictures';
import { PictureFacts } from '../read/pictures/picture-facts';
import { RealmFacts } from '../read/realm-facts';
import { MAX_PICTURE_MIB } from '../read/server-properties';

const LIMIT: FileLimit = {
  maxBytes: MAX_PICTURE_MIB * 1024 * 1024,
  tooLarge: () => reject.emojiTooLarge({ mib: MAX_PICTURE_MIB }),
};

export class LogoParams {
  /** For dark pages. */
  @BooleanParam() night: boolean;
}

export class PictureFileParams {
  @PathId() realm_id: RealmId;
  @PathText() file: string;
}

const shownIcon = t.Object({ icon_url: t.String() });
const logoOf = ({ night }: LogoParams): PictureName => (night ? 'night_logo' : 'logo');

@Controller()
export class PicturesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly realms: RealmFacts,
    private readonly pictures: PictureFacts,
    private readonly store: FileStore,
  ) {}

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('POST', 'realm/icon', {
    audience: 'administrators',
    section: 'whole-interface 1.1',
    summary: 'Replace the icon of the organization',
    command: 'ChangePicture',
    files: LIMIT,
    returns: shownIcon,
  })
  async setIcon(@By() by: Actor, @Info() { attached }: RequestInfo) {
    if (!attached) throw reject.onePicture({ picture: 'icon' });
    await this.commands.execute(new ChangePicture(by, 'icon', attached));
    return { icon_url: await this.urlOf(by, 'icon') };
  }

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('DELETE', 'realm/icon', {
    audience: 'administrators',
    section: 'whole-interface 1.1',
    summary: 'Remove the icon of the organization',
    command: 'ChangePicture',
    returns: shownIcon,
  })
  async removeIcon(@By() by: Actor) {
    await this.commands.execute(new ChangePicture(by, 'icon', null));
    return { icon_url: await this.urlOf(by, 'icon') };
  }

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('GET', 'realm/icon', {
    audience: 'anyone',
    section: 'whole-interface 1.1',
    summary: 'Where the icon of the organization is',
    bytes: true,
    returns: null,
  })
  icon(@By() by: Actor) {
    return this.redirect(by, 'icon');
  }

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('POST', 'realm/logo', {
    audience: 'administrators',
    section: 'whole-interface 1.1',
    summary: 'Replace a logo of the organization',
    command: 'ChangePicture',
    files: LIMIT,
    returns: null,
  })
  async setLogo(@By() by: Actor, @Params(LogoParams) p: LogoParams, @Info() { attached }: RequestInfo) {
    if (!attached) throw reject.onePicture({ picture: 'logo' });
    await this.commands.execute(new ChangePicture(by, logoOf(p), attached));
  }

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('DELETE', 'realm/logo', {
    audience: 'administrators',
    section: 'whole-interface 1.1',
    summary: 'Remove a logo of the organization',
    command: 'ChangePicture',
    returns: null,
  })
  async removeLogo(@By() by: Actor, @Params(LogoParams) p: LogoParams) {
    await this.commands.execute(new ChangePicture(by, logoOf(p), null));
  }

  /** contract/whole-interface.md section 1.1 */
  @Endpoint('GET', 'realm/logo', {
    audience: 'anyone',
    section: 'whole-interface 1.1',
    summary: 'Where a logo of the organization is',
    bytes: true,
    returns: null,
  })
  logo(@By() by: Actor, @Params(LogoParams) p: LogoParams) {
    return this.redirect(by, logoOf(p));
  }

  /** contract/boot.md section 3 */
  @Endpoint('GET', 'user_avatars/:realm_id/realm/:file', {
    audience: 'public',
    section: 'boot 3',
    summary: 'A picture of the organization',
    addressQuota: 'files',
    root: true,
    returns: null,
  })
  async picture(
    @AtRealm() realmId: RealmId,
    @Params(PictureFileParams) p: PictureFileParams,
    @Info() info: RequestInfo,
  ) {
    const isOurs = p.realm_id === realmId && PICTURE_FILE.test(p.file);
    const found = isOurs ? await this.store.open(pictureKey(realmId, p.file)) : null;
    if (!found) throw reject.noSuchPicture();
    const bytes = await buffer(found);
    const content = Readable.from(info.wantsHeadersOnly ? [] : [bytes]);
    return new Bytes(200, pictureHeaders('image/png', bytes.length), content);
  }

  private async urlOf({ realmId }: Actor, name: PictureName): Promise<string> {
    const { [name]: file } = await this.pictures.of(realmId);
    return pictureUrl(await this.realms.of(realmId), file ?? null);
  }

  /** For a while only, because the picture may change. */
  private async redirect(by: Actor, name: PictureName): Promise<Bytes> {
    const Location = await this.urlOf(by, name);
    return new Bytes(302, { Location, 'Content-Length': '0', 'Cache-Control': 'private, no-cache' }, Readable.from([]));
  }
}
