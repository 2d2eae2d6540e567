import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { reportFailed, reportReady, whenLauncherEnds } from '@annals/embedded';
import { Client } from 'pg';

/** The name that PostgreSQL shows for the server's only connection. */
export const BARE_INSERT = 'bare-insert';

interface Waiting {
  readonly form: string;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

/** Inserts forms, each committed before it is acknowledged. Those that arrive during a commit share the next one. */
class Inserts {
  private waiting: Waiting[] = [];
  private running = false;

  constructor(private readonly client: Client) {}

  store(form: string): Promise<void> {
    return new Promise((stored, failed) => {
      this.waiting.push({ form, stored, failed });
      if (!this.running) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.running = true;
    for (let batch = this.take(); batch.length > 0; batch = this.take()) {
      try {
        const forms = batch.map(({ form }) => form);
        const statement = 'INSERT INTO bare_messages (form) SELECT unnest($1::text[])';
        await this.client.query({ name: 'insert', text: statement, values: [forms] });
        for (const { stored } of batch) stored();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.running = false;
  }

  private take(): Waiting[] {
    const batch = this.waiting;
    this.waiting = [];
    return batch;
  }
}

function serve(inserts: Inserts): Server {
  const answer = async (request: IncomingMessage) => inserts.store(await text(request));
  return createServer((request, response) => {
    answer(request).then(
      () => response.setHeader('content-type', 'application/json').end('{"result":"success"}'),
      () => response.writeHead(500).end(),
    );
  });
}

/**
 * The limit of a durable send over HTTP: Node's own server in one process, which inserts the form of each request as
 * one row on one connection. It checks, derives and notifies nothing.
 */
async function main(): Promise<void> {
  const client = new Client({ connectionString: process.env['DATABASE_URL'], application_name: BARE_INSERT });
  await client.connect();
  await client.query(
    'CREATE TABLE bare_messages (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, form text NOT NULL)',
  );
  const server = serve(new Inserts(client));
  whenLauncherEnds(() => {
    server.close();
    server.closeAllConnections();
    void client.end();
  });
  server.listen(0, '127.0.0.1', () => reportReady(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

if (require.main === module) main().catch((error: unknown) => reportFailed(String(error)));
