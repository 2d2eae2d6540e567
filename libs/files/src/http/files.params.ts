import type { FileId, RealmId } from '@annals/kernel/domain';
import { PathId, PathText } from '@annals/web';

export class FileParams {
  @PathId() realm_id: RealmId;
  @PathText() filename: string;
}

export class LinkParams {
  @PathText() token: string;
  @PathText() filename: string;
}

export class AttachmentParams {
  @PathId() attachment_id: FileId;
}
