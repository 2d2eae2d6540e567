import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { ConsumerRow } from '../consumer-row';

/** Where requests of a consumer are sent, and how they are signed. */
export interface WebhookTarget {
  readonly url: string;
  /** The secret, and for a day the one before it. */
  readonly secrets: readonly string[];
}

const SECRET = 'consumer-webhook-';
/** Name of the secret of a webhook. */
export const webhookSecret = (consumerId: number): string => `${SECRET}${consumerId}`;
/** Name of the secret from before the last rotation. */
export const earlierWebhookSecret = (consumerId: number): string => `${SECRET}before-${consumerId}`;
/** The names of all secrets of a webhook. */
export const webhookSecrets = (consumerId: number): string[] => [
  webhookSecret(consumerId),
  earlierWebhookSecret(consumerId),
];

/** How long the secret from before a rotation is used. */
const ROTATION_MS = DAY_MS;

/** Where requests of a consumer are sent now. Null if it has no webhook, or its URL was erased. */
export async function readWebhookTarget(
  client: Pool | ClientBase,
  { realmId, id }: Pick<ConsumerRow, 'realmId' | 'id'>,
  now: Instant,
): Promise<WebhookTarget | null> {
  const { rows } = await client.query<{ url: string; rotatedAt: Instant | null; secret: string; earlier: string }>({
    name: 'consumers-webhook-target',
    text: `SELECT w.url, w.rotated_at AS "rotatedAt", coalesce(convert_from(s.value, 'UTF8'), '') AS secret,
        coalesce(convert_from(e.value, 'UTF8'), '') AS earlier
      FROM view.consumer_webhooks AS w
      LEFT JOIN secrets AS s ON s.realm_id = w.realm_id AND s.id = '${SECRET}' || w.consumer_id
      LEFT JOIN secrets AS e ON e.realm_id = w.realm_id AND e.id = '${SECRET}before-' || w.consumer_id
      WHERE w.realm_id = $1 AND w.consumer_id = $2`,
    values: [realmId, id],
  });
  const row = rows[0];
  if (!row || row.url === '' || row.secret === '') return null;
  const isRecent = row.rotatedAt !== null && now < row.rotatedAt + ROTATION_MS && row.earlier !== '';
  return { url: row.url, secrets: isRecent ? [row.secret, row.earlier] : [row.secret] };
}

/** Consumers of an organization whose webhook or sink fails, and since when it does. */
export async function readFailing(client: Pool | ClientBase, realmId: RealmId): Promise<ReadonlyMap<number, Instant>> {
  const { rows } = await client.query<{ id: number; since: Instant }>({
    name: 'consumers-failing',
    text: `SELECT b.consumer_id AS id, b.failing_since AS since FROM consumer_batches AS b
      LEFT JOIN view.consumer_webhooks AS w ON w.realm_id = b.realm_id AND w.consumer_id = b.consumer_id
      LEFT JOIN view.consumer_sinks AS s ON s.realm_id = b.realm_id AND s.consumer_id = b.consumer_id
      WHERE b.realm_id = $1 AND b.failing_since IS NOT NULL
        AND b.fresh_since = coalesce(w.fresh_since, s.fresh_since)`,
    values: [realmId],
  });
  return new Map(rows.map(({ id, since }) => [id, since]));
}
