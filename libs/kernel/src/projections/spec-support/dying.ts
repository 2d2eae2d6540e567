import type { Connection, PoolClient } from 'pg';
import type { Database } from '../../database/database';

/** Simulates a process that is killed before a statement: its connections break there, and it gets no others. */
export class Dying {
  private readonly clients = new Set<PoolClient>();
  private left: number;

  /** @param statement number of the statement that it does not reach, from 1 */
  constructor({ pool }: Database, statement: number) {
    this.left = statement;
    pool.on('acquire', (client) => {
      if (this.isDead) cut(client);
      if (this.clients.has(client)) return;
      this.clients.add(client);
      const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
      const counted = (...args: readonly unknown[]) => {
        this.left -= 1;
        if (this.left === 0) for (const one of this.clients) cut(one);
        return query(...args);
      };
      Object.assign(client, { query: counted });
    });
  }

  get isDead(): boolean {
    return this.left <= 0;
  }
}

const cut = (client: PoolClient) =>
  (client as unknown as { readonly connection: Connection }).connection.stream.destroy();
