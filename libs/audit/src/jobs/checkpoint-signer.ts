import type { KeyObject } from 'node:crypto';
import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { HOUR_MS } from '@annals/kernel/domain';
import type { RealmFacts, ServerAddress } from '@annals/realm';
import { announceSigningKey } from '../application/change-signing-key';
import type { KeyStore } from '../application/key-store';
import { signCheckpoint } from '../application/sign-checkpoint';

/** A checkpoint follows an event within a minute: two sweeps may fail or take long. */
const SWEEP_MS = 20_000;

/**
 * Signs a checkpoint of each log that has grown, and each hour one of each log that has not. Several workers may do so at
 * once: one of them signs.
 */
export class CheckpointSigner extends PeriodicSweep {
  /** A problem that is logged once, until it changes. */
  private problem = '';

  constructor(
    private readonly kernel: Pick<Kernel, 'clock' | 'database' | 'events' | 'installation' | 'options' | 'work'>,
    private readonly keys: KeyStore,
    private readonly realms: Pick<RealmFacts, 'of'>,
    private readonly address: Pick<ServerAddress, 'urlOf'>,
  ) {
    super(SWEEP_MS, kernel, 'checkpoints could not be signed; trying again in 20 seconds');
  }

  override async sweep(): Promise<void> {
    const due = await this.due();
    if (due.length === 0) return;
    const key = await this.key();
    const problems = key ? await this.signAll(due, key) : ['there is no signing key, but the logs name one'];
    this.report(problems.join('; '));
  }

  /** @returns why logs were not signed. That one was deleted meanwhile is no reason to worry about it */
  private async signAll(realms: readonly RealmId[], key: KeyObject): Promise<string[]> {
    const problems = new Map<RealmId, string>();
    for (const realmId of realms) {
      try {
        if (await this.announce(realmId, key)) await signCheckpoint(this.kernel, realmId, key);
        else problems.set(realmId, 'the key of this process is not the one that the log names');
      } catch (error) {
        problems.set(realmId, (error as Error).message);
      }
    }
    if (problems.size === 0) return [];
    for (const gone of await this.kernel.events.deletedAmong([...problems.keys()])) problems.delete(gone);
    return [...problems].map(([realmId, problem]) => `realm ${realmId}: ${problem}`);
  }

  private async announce(realmId: RealmId, key: KeyObject): Promise<boolean> {
    const { subdomain } = await this.realms.of(realmId);
    return announceSigningKey(this.kernel, realmId, key, this.address.urlOf(subdomain));
  }

  /** A key is made at the first start. Later its file may be missing, and another key would be a wrong one. */
  private async key(): Promise<KeyObject | null> {
    const key = this.keys.read();
    if (key) return key;
    const { rowCount } = await this.kernel.database.pool.query(
      `SELECT FROM realm_heads AS h WHERE EXISTS
        (SELECT FROM events AS e WHERE e.realm_id = h.realm_id AND e.stream = 'signing-key') LIMIT 1`,
    );
    return rowCount === 0 ? this.keys.create() : null;
  }

  private async due(): Promise<RealmId[]> {
    const { rows } = await this.kernel.database.pool.query<{ id: RealmId }>({
      name: 'audit-checkpoints-due',
      text: `SELECT h.realm_id AS id FROM realm_heads AS h LEFT JOIN LATERAL (
          SELECT size, at FROM audit_checkpoints AS c WHERE c.realm_id = h.realm_id
          ORDER BY size DESC, at DESC LIMIT 1) AS latest ON true
        WHERE h.position > 0 AND (latest.size IS NULL OR latest.size <> h.position OR latest.at <= $1) ORDER BY 1`,
      values: [(this.kernel.clock.now() - HOUR_MS) as Instant],
    });
    return rows.map(({ id }) => id);
  }

  private report(problem: string): void {
    if (problem !== '' && problem !== this.problem)
      this.kernel.options.log.error({ problem }, 'checkpoints are not signed: see docs/operations.md, "Proof"');
    this.problem = problem;
  }
}
