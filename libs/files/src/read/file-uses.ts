import type { Actor, FileId, MessageId, Position, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** A file, and the place in the log at which something is asked about it. */
export interface FileAt {
  readonly fileId: FileId;
  readonly position: Position;
}

/** After everything that has happened. */
export const NOW = Number.MAX_SAFE_INTEGER as Position;

/**
 * Reads which messages named files at places in the log, in the order asked; ids ascend, deleted messages are not among
 * them.
 */
export type MessagesNaming = (
  client: Pool | ClientBase,
  realmId: RealmId,
  asked: readonly FileAt[],
) => Promise<readonly (readonly MessageId[])[]>;

/** What messages have to do with files. This context knows no messages; the one that does provides it. */
export abstract class FileUses {
  /** See `MessagesNaming`. */
  abstract readonly messagesNaming: MessagesNaming;

  /** Which of these files the account may see because it may see a message that names them. */
  abstract visibleTo(by: Actor, files: readonly FileId[]): Promise<ReadonlySet<FileId>>;
}
