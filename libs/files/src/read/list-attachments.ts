import { Kernel } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { FileRow } from './file-row';
import { filesOf } from './file-row';
import { FileUses, NOW } from './file-uses';
import { uploadSpaceAt } from './upload-space';

export interface Attachments {
  readonly files: readonly { readonly file: FileRow; readonly messageIds: readonly MessageId[] }[];
  /** Bytes of all files of the organization. */
  readonly spaceUsed: number;
}

/** A user's files (contract/messages.md section 11). */
export class ListAttachments extends Query<Attachments> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListAttachments)
export class ListAttachmentsHandler implements IQueryHandler<ListAttachments> {
  constructor(
    private readonly kernel: Kernel,
    private readonly uses: FileUses,
  ) {}

  async execute({ by: { realmId, userId } }: ListAttachments): Promise<Attachments> {
    const { pool } = this.kernel.database;
    const files = await filesOf(pool, realmId, userId);
    const asked = files.map(({ id: fileId }) => ({ fileId, position: NOW }));
    const messages = await this.uses.messagesNaming(pool, realmId, asked);
    const [spaceUsed = 0] = await uploadSpaceAt(pool, realmId, [NOW]);
    return { files: files.map((file, n) => ({ file, messageIds: messages[n] ?? [] })), spaceUsed };
  }
}
