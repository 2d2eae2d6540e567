import type { Client, Connection, Submittable } from 'pg';

/** A statement of a lane. Its name identifies its text, and it is prepared once per connection. */
export interface PipelinedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly PipelinedValue[];
}

/** A value as PostgreSQL reads it: text, or a Buffer in the binary form of its type. */
export type PipelinedValue = string | number | Buffer | null;

/** The answer to a statement: its tag (`INSERT 0 3`, `COMMIT`), and the columns of its rows as text. */
export interface StatementAnswer {
  readonly tag: string;
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The messages of the extended protocol, as node-pg writes them. */
interface Wire extends Pick<Connection, 'stream'> {
  parse(statement: { name: string; text: string }): void;
  bind(values: {
    statement: string;
    values: readonly PipelinedValue[];
    valueMapper: (value: PipelinedValue) => unknown;
  }): void;
  execute(): void;
  close(what: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Names of the statements that are known to be prepared, per connection. */
const prepared = new WeakMap<Wire, Set<string>>();

/**
 * Statements in one round trip: one packet to PostgreSQL, and one back, since it answers at the end of a batch. The
 * first statement that fails skips the rest, and its transaction stays open and failed. The pipeline of node-pg
 * synchronises after each statement, which costs more than the statements in a small transaction.
 */
export class PipelinedBatch implements Submittable {
  readonly answers: Promise<readonly StatementAnswer[]>;
  private readonly given: StatementAnswer[] = [];
  private rows: (readonly (string | null)[])[] = [];
  private known: Set<string> = new Set();
  private resolve: (answers: readonly StatementAnswer[]) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  /** @throws TypeError for a value that cannot be sent: half a batch would leave the connection waiting forever */
  constructor(readonly statements: readonly PipelinedStatement[]) {
    for (const { name, values } of statements) {
      if (!values.every(isSendable)) throw new TypeError(`${name} has a value that cannot be sent`);
    }
    this.answers = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** node-pg calls this, and the methods below, when the connection is free for this batch. */
  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    this.known = prepared.get(wire) ?? new Set();
    prepared.set(wire, this.known);
    const parsed = new Set<string>();
    wire.stream.cork();
    for (const { name, text, values } of this.statements) {
      if (!this.known.has(name) && !parsed.has(name)) {
        // A batch that failed may have prepared it or not. To close an absent statement is no error.
        wire.close({ type: 'S', name });
        wire.parse({ name, text });
        parsed.add(name);
      }
      wire.bind({ statement: name, values, valueMapper: sendable });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const name = this.statements[this.given.length]?.name;
    if (name !== undefined) this.known.add(name);
    this.given.push({ tag: text, rows: this.rows });
    this.rows = [];
  }

  handleReadyForQuery(): void {
    this.resolve(this.given);
  }

  handleError(error: Error): void {
    this.reject(error);
  }
}

const isSendable = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || Buffer.isBuffer(value);
const sendable = (value: PipelinedValue): unknown => (typeof value === 'number' ? String(value) : value);

/** @throws Error of the first statement that failed, or of the connection; TypeError for a value that cannot be sent */
export const sendStatements = async (
  client: Client,
  statements: readonly PipelinedStatement[],
): Promise<readonly StatementAnswer[]> => client.query(new PipelinedBatch(statements)).answers;
