import { randomBytes } from 'node:crypto';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { SECRET_PREFIX } from '../../domain/webhook/webhook-secret';
import { earlierWebhookSecret, webhookSecret } from '../../read/webhook/webhook-row';

const KIND = 'consumer-webhook-secret';
const NEW_BYTES = 32;

/** A secret that nobody can guess, as Standard Webhooks writes it. */
export const newSecret = (): string => SECRET_PREFIX + randomBytes(NEW_BYTES).toString('base64');

/** The secrets with which requests to webhooks are signed. They are beside the log. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly kernel: Kernel) {}

  /** Null if the consumer has none. */
  async current(realmId: RealmId, consumerId: number): Promise<string | null> {
    const { rows } = await this.kernel.database.pool.query<{ secret: string }>({
      name: 'consumers-webhook-secret',
      text: `SELECT convert_from(value, 'UTF8') AS secret FROM secrets WHERE realm_id = $1 AND id = $2`,
      values: [realmId, webhookSecret(consumerId)],
    });
    return rows[0]?.secret ?? null;
  }

  /** Signs requests with a secret from now on, and with an earlier one if there is one. */
  use(work: Work, consumerId: number, secret: string, earlier: string | null): void {
    const stored = (put: string, value: string) => work.secret({ put, kind: KIND, value: Buffer.from(value) });
    stored(webhookSecret(consumerId), secret);
    if (earlier === null) work.secret({ drop: earlierWebhookSecret(consumerId) });
    else stored(earlierWebhookSecret(consumerId), earlier);
  }
}
