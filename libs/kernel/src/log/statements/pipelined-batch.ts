import type { Client, Connection, Submittable } from 'pg';

/** A statement of a lane. Its name stands for its text: it is prepared once per connection. */
export interface BurstStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly BurstValue[];
}

/** A value as PostgreSQL reads it: text, or a Buffer in the binary form of its type. */
export type BurstValue = string | number | Buffer | null;

/** What a statement was answered: its tag (`INSERT 0 3`, `COMMIT`), and the columns of its rows as text. */
export interface Answer {
  readonly tag: string;
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The messages of the extended protocol, as node-pg writes them. */
interface Wire extends Pick<Connection, 'stream'> {
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: readonly BurstValue[]; valueMapper: (value: BurstValue) => unknown }): void;
  execute(): void;
  close(what: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Names of the statements that are known to be prepared, per connection. */
const prepared = new WeakMap<Wire, Set<string>>();

/**
 * Statements that travel together: one packet there and, since PostgreSQL sends answers when it comes to the end of a
 * burst, one packet back. The first that fails skips the rest; a transaction it was in stays open and failed.
 * node-pg's own pipeline ends after each statement: for a small transaction these ends cost more than the statements.
 */
export class Burst implements Submittable {
  readonly answers: Promise<readonly Answer[]>;
  private readonly given: Answer[] = [];
  private rows: (readonly (string | null)[])[] = [];
  private known: Set<string> = new Set();
  private resolve: (answers: readonly Answer[]) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  /** @throws TypeError for a value that cannot be sent: half a burst would leave the connection waiting for ever */
  constructor(readonly statements: readonly BurstStatement[]) {
    for (const { name, values } of statements) {
      if (!values.every(isSendable)) throw new TypeError(`${name} has a value that cannot be sent`);
    }
    this.answers = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** For node-pg, as what follows: the burst's turn on the connection has come. */
  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    this.known = prepared.get(wire) ?? new Set();
    prepared.set(wire, this.known);
    const parsed = new Set<string>();
    wire.stream.cork();
    for (const { name, text, values } of this.statements) {
      if (!this.known.has(name) && !parsed.has(name)) {
        // In a burst that failed it may have been prepared or not; to close what is not there is no error.
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
const sendable = (value: BurstValue): unknown => (typeof value === 'number' ? String(value) : value);

/** @throws Error of the first statement that failed, or of the connection; TypeError for a value that cannot be sent */
export const send = async (client: Client, statements: readonly BurstStatement[]): Promise<readonly Answer[]> =>
  client.query(new Burst(statements)).answers;
