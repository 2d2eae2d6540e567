import type { Actor } from '@annals/kernel/domain';
import { count, t } from '@annals/kernel/domain';
import { ServerFeatures } from '@annals/realm';
import { By, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeleteFile } from '../application/delete-file';
import { UploadFile } from '../application/upload-file';
import { reject } from '../domain/rejections';
import { ListAttachments } from '../read/list-attachments';
import { presentAttachment } from '../read/present-attachment';
import { AttachmentParams } from './files.params';
import { attachmentShape } from './shapes';

const MIB = 1024 * 1024;

@Controller()
export class UploadsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly features: ServerFeatures,
  ) {}

  /** contract/messages.md section 11 */
  @Endpoint('POST', 'user_uploads', {
    audience: 'anyone',
    section: 'messages 11',
    summary: 'Upload a file',
    command: 'UploadFile',
    files: true,
    returns: t.Object({
      url: t.String(),
      uri: t.String({ deprecated: true, description: 'The same as `url`.' }),
      filename: t.String(),
    }),
  })
  async upload(@By() by: Actor, @Info() info: RequestInfo) {
    const { maxUploadMib } = this.features;
    const limit = { maxBytes: maxUploadMib * MIB, tooLarge: () => reject.tooLarge(maxUploadMib) };
    const { key, name } = await this.commands.execute(new UploadFile(by, await info.file(limit)));
    const url = `/user_uploads/${by.realmId}/${key}/${name.inAddress}`;
    return { url, uri: url, filename: name.shown };
  }

  /** contract/messages.md section 11 */
  @Endpoint('GET', 'attachments', {
    audience: 'anyone',
    section: 'messages 11',
    summary: 'Own files',
    returns: t.Object({ attachments: t.Array(attachmentShape), upload_space_used: count }),
  })
  async list(@By() by: Actor) {
    const { files, spaceUsed } = await this.queries.execute(new ListAttachments(by));
    const attachments = files.map(({ file, messageIds }) => presentAttachment(by.realmId, file, messageIds));
    return { attachments, upload_space_used: spaceUsed };
  }

  /** contract/messages.md section 11 */
  @Endpoint('DELETE', 'attachments/:attachment_id', {
    audience: 'anyone',
    section: 'messages 11',
    summary: 'Delete an own file',
    command: 'DeleteFile',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(AttachmentParams) { attachment_id }: AttachmentParams) {
    await this.commands.execute(new DeleteFile(by, attachment_id));
  }
}
