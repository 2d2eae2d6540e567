import type { ClientBase, Connection, Submittable } from 'pg';

/**
 * @returns the output of a `COPY … TO STDOUT`. PostgreSQL answers with rows of bytes, which a plain query does not
 *   accept
 */
export function readCopyOut(client: ClientBase, statement: string): Promise<string> {
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
