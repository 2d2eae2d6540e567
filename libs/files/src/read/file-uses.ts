import type { Actor, FileId, MessageId, Position, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** A file, and a position of the log at which its uses are read. */
export interface FileAt {
  readonly fileId: FileId;
  readonly position: Position;
}

/** After all events. */
export const NOW = Number.MAX_SAFE_INTEGER as Position;

/**
 * Reads which messages named files at positions of the log, in the order of the request. Ids ascend, and deleted
 * messages are left out.
 */
export type MessagesNaming = (
  client: Pool | ClientBase,
  realmId: RealmId,
  asked: readonly FileAt[],
) => Promise<readonly (readonly MessageId[])[]>;

/** The uses of files by messages. The context of messages provides it, because this one does not know messages. */
export abstract class FileUses {
  /** See `MessagesNaming`. */
  abstract readonly messagesNaming: MessagesNaming;

  /** The files that the account may see because it may see a message that names them. */
  abstract visibleTo(by: Actor, files: readonly FileId[]): Promise<ReadonlySet<FileId>>;
}
