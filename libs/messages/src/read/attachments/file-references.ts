import { READER, readerValues } from '@annals/channels';
import type { FileAt } from '@annals/files';
import { FileUses } from '@annals/files';
import { Kernel, containsSql } from '@annals/kernel';
import type { Actor, FileId, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { PLACE_JOIN, VISIBLE_SQL } from '../visibility/visibility';

/** See `MessagesNaming` of files. */
export async function messagesNaming(
  client: Pool | ClientBase,
  realmId: RealmId,
  asked: readonly FileAt[],
): Promise<MessageId[][]> {
  if (asked.length === 0) return [];
  const { rows } = await client.query<{ ids: (number | string)[] }>({
    name: 'messages-naming-files',
    text: `SELECT ARRAY(SELECT f.message_id FROM view.file_references AS f WHERE f.realm_id = $1
        AND f.file_id = a.file_id AND ${containsSql('f', 'a.position')} ORDER BY f.message_id) AS ids
      FROM unnest($2::int8[], $3::int8[]) WITH ORDINALITY AS a(file_id, position, ord) ORDER BY a.ord`,
    values: [realmId, asked.map(({ fileId }) => fileId), asked.map(({ position }) => position)],
  });
  return rows.map(({ ids }) => ids.map(Number) as MessageId[]);
}

/** Files that the present text of a message links to. */
export async function filesNamedBy(client: Pool, realmId: RealmId, message: MessageId): Promise<FileId[]> {
  const { rows } = await client.query<{ file_id: FileId }>({
    name: 'messages-files-named',
    text: `SELECT f.file_id FROM view.file_references AS f
      WHERE f.realm_id = $1 AND f.message_id = $2 AND f.to_position IS NULL ORDER BY f.file_id`,
    values: [realmId, message],
  });
  return rows.map(({ file_id }) => file_id);
}

/** A file to which a message gained or lost a link at a position. */
export interface ReferenceChange {
  readonly messageId: MessageId;
  readonly position: Position;
  readonly fileId: FileId;
  readonly ownerId: UserId;
}

/** The changes at some positions. Files that the new text also links to are left out. */
export async function referenceChanges(
  client: ClientBase,
  realmId: RealmId,
  at: readonly { readonly messageId: MessageId; readonly position: Position }[],
): Promise<ReferenceChange[]> {
  if (at.length === 0) return [];
  const { rows } = await client.query<ReferenceChange>({
    name: 'messages-reference-changes',
    text: `SELECT a.message_id AS "messageId", a.position, f.file_id AS "fileId", min(o.owner_id) AS "ownerId"
      FROM unnest($2::int8[], $3::int8[]) AS a(message_id, position)
      JOIN view.file_references AS f ON f.realm_id = $1 AND f.message_id = a.message_id
        AND (f.from_position = a.position OR f.to_position = a.position)
      JOIN view.files AS o ON o.realm_id = $1 AND o.file_id = f.file_id
      WHERE o.deleted IS NULL OR o.deleted > a.position
      GROUP BY a.message_id, a.position, f.file_id HAVING count(*) = 1 ORDER BY a.position, f.file_id`,
    values: [realmId, at.map(({ messageId }) => messageId), at.map(({ position }) => position)],
  });
  return rows;
}

/** The implementation of `FileUses` by messages. */
@Injectable()
export class FileReferences extends FileUses {
  readonly messagesNaming = messagesNaming;

  constructor(private readonly kernel: Kernel) {
    super();
  }

  override async visibleTo(by: Actor, files: readonly FileId[]): Promise<ReadonlySet<FileId>> {
    const { rows } = await this.kernel.database.pool.query<{ file_id: FileId }>({
      name: 'messages-visible-files',
      text: `SELECT w.file_id FROM unnest($6::int8[]) AS w(file_id) WHERE EXISTS (
          SELECT FROM ${READER} CROSS JOIN view.file_references AS f
            JOIN view.messages AS m ON m.realm_id = f.realm_id AND m.message_id = f.message_id ${PLACE_JOIN}
          WHERE f.realm_id = $1 AND f.file_id = w.file_id AND f.to_position IS NULL AND ${VISIBLE_SQL})`,
      values: [...readerValues(by), files],
    });
    return new Set(rows.map(({ file_id }) => file_id));
  }
}
