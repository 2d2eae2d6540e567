import type { Actor, RealmId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { AtRealm, By, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { shownName } from '../read/file-row';
import { GetFile, GetLinkedFile } from '../read/get-file';
import { TemporaryLinks } from '../read/temporary-links';
import { Downloads } from './downloads';
import { FileParams, LinkParams } from './files.params';

@Controller()
export class DownloadsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly links: TemporaryLinks,
    private readonly downloads: Downloads,
  ) {}

  /** contract/messages.md section 11, boot.md section 3 */
  @Endpoint('GET', 'user_uploads/:realm_id/*filename', {
    audience: 'anyone',
    section: 'boot 3',
    summary: 'The bytes of a file',
    root: true,
    returns: null,
  })
  async download(@By() by: Actor, @Params(FileParams) p: FileParams, @Info() info: RequestInfo) {
    const file = await this.queries.execute(new GetFile(by, `${p.realm_id}/${p.filename}`));
    return this.downloads.of(by.realmId, file, info);
  }

  /** contract/messages.md section 11 */
  @Endpoint('GET', 'user_uploads/:realm_id/*filename', {
    audience: 'anyone',
    section: 'messages 11',
    summary: 'An address that needs no login, for a minute',
    returns: t.Object({ url: t.String() }),
  })
  async link(@By() by: Actor, @Params(FileParams) p: FileParams) {
    const file = await this.queries.execute(new GetFile(by, `${p.realm_id}/${p.filename}`));
    const token = await this.links.tokenOf(by.realmId, file.id);
    return { url: `/user_uploads/temporary/${token}/${encodeURIComponent(shownName(file))}` };
  }

  /** contract/messages.md section 11 */
  @Endpoint('GET', 'user_uploads/temporary/:token/:filename', {
    audience: 'public',
    section: 'messages 11',
    summary: 'The bytes of a file, by a temporary address',
    addressQuota: 'files',
    root: true,
    returns: null,
  })
  async follow(@AtRealm() realmId: RealmId, @Params(LinkParams) p: LinkParams, @Info() info: RequestInfo) {
    const file = await this.queries.execute(new GetLinkedFile(realmId, p.token, p.filename));
    return this.downloads.of(realmId, file, info);
  }
}
