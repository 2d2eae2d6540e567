import type { Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * Tasks for the bots that the server runs. Times are in ms since the epoch.
 *
 * A reader of the log adds a row together with its checkpoint, so no task is lost. `account_id` is the bot that must answer
 * the message at `position`, or the newcomer of the event there. That the task is done is an event of the log, so that a
 * task which runs twice has one result.
 */
const SQL = `
CREATE TABLE bot_tasks (
  realm_id int4,
  position int8,
  account_id int8,
  kind text NOT NULL,
  at int8 NOT NULL,
  attempts int4 NOT NULL,
  due_at int8 NOT NULL,
  PRIMARY KEY (realm_id, position, account_id)
);
`;

/**
 * Messages that must be sent to the programs behind bots, each bot's in order. A reader of the log adds a row together with
 * its checkpoint. `due_at` of a row that a worker has leased is the end of the lease.
 */
const DELIVERIES_SQL = `
CREATE TABLE bot_deliveries (
  realm_id int4,
  bot_id int8,
  position int8,
  at int8 NOT NULL,
  attempts int4 NOT NULL,
  due_at int8 NOT NULL,
  PRIMARY KEY (realm_id, bot_id, position)
);
CREATE INDEX bot_deliveries_due ON bot_deliveries (realm_id, due_at);
`;

export const botMigrations: readonly Migration[] = [
  { name: 'Bots', written: 1795680000000, sql: SQL },
  { name: 'BotDeliveries', written: 1795699200000, sql: DELIVERIES_SQL },
];

/** Deletes tasks of positions that a restore removed from the log. */
export async function forgetAhead(client: ClientBase): Promise<string> {
  let dropped = 0;
  for (const table of ['bot_tasks', 'bot_deliveries']) {
    const { rowCount } = await client.query(
      `DELETE FROM ${table} t USING realm_heads h WHERE t.realm_id = h.realm_id AND t.position > h.position`,
    );
    dropped += rowCount ?? 0;
  }
  return `${dropped} tasks for bots dropped`;
}
