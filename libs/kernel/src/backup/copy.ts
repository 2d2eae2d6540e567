import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ClientBase, Connection, Submittable } from 'pg';

/** Rows are passed on in blocks of about this many bytes. */
const BLOCK_BYTES = 65_536;

/** The parts of the driver for COPY that it does not declare. */
type CopyConnection = Connection & {
  readonly stream: Socket;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/** PostgreSQL answers a COPY with messages that a plain query does not handle. */
type CopySubmittable = Submittable & {
  handleCopyData?(message: { readonly chunk: Buffer }): void;
  handleCopyInResponse?(connection: CopyConnection): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
};

/**
 * Runs a `COPY … TO STDOUT` in bounded memory: while a block is written, nothing is read from PostgreSQL.
 *
 * @param write receives blocks of rows, one after the other
 * @returns the number of rows
 * @throws Error of `write`; the connection cannot be used after that
 */
export function copyOut(
  client: ClientBase,
  statement: string,
  write: (block: Buffer) => Promise<void>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyOut(statement, write, resolve, reject));
  });
}

class CopyOut implements CopySubmittable {
  private stream: Socket | null = null;
  private rows: Buffer[] = [];
  private bytes = 0;
  private count = 0;
  private writing: Promise<void> = Promise.resolve();
  private busy = false;
  private failure: Error | null = null;

  constructor(
    private readonly statement: string,
    private readonly write: (block: Buffer) => Promise<void>,
    private readonly resolve: (count: number) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    this.stream = (connection as CopyConnection).stream;
    connection.query(this.statement);
  }

  /** The driver reads the next message into the same memory, so the row is copied. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.rows.push(Buffer.from(chunk));
    this.bytes += chunk.length;
    if (this.bytes >= BLOCK_BYTES && !this.busy) this.writeBlock();
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.count = rowsOf(text);
  }

  handleError(error: Error): void {
    this.reject(this.failure ?? error);
  }

  handleReadyForQuery(): void {
    void this.writing.then(() => {
      if (this.bytes > 0) this.writeBlock();
      void this.writing.then(() => (this.failure ? this.reject(this.failure) : this.resolve(this.count)));
    });
  }

  private writeBlock(): void {
    const block = Buffer.concat(this.rows, this.bytes);
    [this.rows, this.bytes, this.busy] = [[], 0, true];
    this.stream?.pause();
    this.writing = this.write(block).then(
      () => {
        this.busy = false;
        if (this.bytes >= BLOCK_BYTES) this.writeBlock();
        else this.stream?.resume();
      },
      (error: Error) => {
        this.failure = error;
        this.stream?.destroy();
        this.reject(error);
      },
    );
  }
}

/**
 * Runs a `COPY … FROM STDIN` in bounded memory.
 *
 * @returns the number of rows
 * @throws Error of `source`; PostgreSQL then stores nothing
 */
export function copyIn(client: ClientBase, statement: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let failure: Error | null = null;
    const send = async (connection: CopyConnection): Promise<void> => {
      const { stream } = connection;
      try {
        for await (const chunk of source) {
          if (failure) return;
          connection.sendCopyFromChunk(chunk);
          if (stream.writableNeedDrain) await once(stream, 'drain');
        }
        connection.endCopyFrom();
      } catch (error) {
        failure = error as Error;
        connection.sendCopyFail(failure.message);
      }
    };
    const copy: CopySubmittable = {
      submit: (connection) => connection.query(statement),
      handleCopyInResponse: (connection) => void send(connection),
      handleCommandComplete: ({ text }) => (count = rowsOf(text)),
      handleError: (error) => {
        failure ??= error;
        reject(failure);
      },
      handleReadyForQuery: () => (failure ? undefined : resolve(count)),
    };
    client.query(copy);
  });
}

/** PostgreSQL answers `COPY 12`. */
const rowsOf = (text: string): number => Number(text.split(' ')[1] ?? 0);
