import type { PositionedClientEvent, Presenter } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { FileRow } from '../read/file-row';
import { readFiles } from '../read/file-row';
import type { MessagesNaming } from '../read/file-uses';
import { presentAttachment } from '../read/present-attachment';
import { uploadSpaceAt } from '../read/upload-space';
import type { AttachmentPayload } from './files.feed';

interface Loaded {
  readonly realmId: RealmId;
  readonly files: ReadonlyMap<number, FileRow>;
  readonly at: ReadonlyMap<
    PositionedClientEvent,
    { messageIds: Awaited<ReturnType<MessagesNaming>>[number]; used: number }
  >;
}

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as AttachmentPayload;

/** contract/messages.md section 11, realtime.md section 6.4: the state at the position of the event */
export const attachmentsPresenter = (messagesNaming: MessagesNaming): Presenter =>
  definePresenter<Loaded>({
    type: 'attachment',
    load: async ({ client, realmId }, events) => {
      const asked = events.map((event) => ({ fileId: payloadOf(event).fileId, position: event.position }));
      const messages = await messagesNaming(client, realmId, asked);
      const used = await uploadSpaceAt(
        client,
        realmId,
        asked.map(({ position }) => position),
      );
      const at = events.map((event, n) => [event, { messageIds: messages[n] ?? [], used: used[n] ?? 0 }] as const);
      const ids = asked.map(({ fileId }) => fileId);
      return { realmId, files: await readFiles(client, realmId, ids), at: new Map(at) };
    },
    present: (event, { realmId, files, at }) => {
      const { op, fileId: id } = payloadOf(event);
      const file = files.get(id);
      if (!file) throw new Error(`file ${id} does not exist`);
      const { messageIds = [], used = 0 } = at.get(event) ?? {};
      const attachment = op === 'remove' ? { id } : presentAttachment(realmId, file, messageIds);
      return [{ type: 'attachment', op, attachment, upload_space_used: used }];
    },
    variant: () => '',
  });
