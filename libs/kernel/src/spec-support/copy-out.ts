import type { ClientBase, Connection, Submittable } from 'pg';

/** @returns what a `COPY … TO STDOUT` gave; PostgreSQL answers it with rows of bytes, which no plain query takes. */
export function copyOut(client: ClientBase, statement: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let failed: Error | null = null;
    const copy: Submittable & Record<string, unknown> = {
      submit: (connection: Connection) => connection.query(statement),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => (text += chunk.toString()),
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => {
        failed = error;
        reject(error);
      },
      handleReadyForQuery: () => (failed ? undefined : resolve(text)),
    };
    client.query(copy);
  });
}
