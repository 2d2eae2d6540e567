import type { Kernel } from '@annals/kernel';
import { LogTree, PeriodicSweep, splitNote } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import type { Witness } from '../application/witness-client';
import { WitnessFailure, addCheckpoint } from '../application/witness-client';
import type { StoredCheckpoint } from '../read/checkpoints';
import { readLatest, readNewestCosigned, saveCosignature } from '../read/checkpoints';

const SWEEP_MS = 20_000;
/** Time until a witness is asked again that did not answer, or that refused a log. */
const PAUSE_MS = { away: 60_000, refused: 600_000 } as const;

/**
 * Sends the newest checkpoint of each log to the witnesses, and stores their cosignatures. Several workers may do so at
 * once, which costs requests only.
 */
export class WitnessSender extends PeriodicSweep {
  private readonly tree: LogTree;
  /** When a witness, or a witness about a log, may be asked again. */
  private readonly pauses = new Map<string, Instant>();

  constructor(
    private readonly kernel: Pick<Kernel, 'clock' | 'database' | 'options'>,
    private readonly witnesses: readonly Witness[],
  ) {
    super(SWEEP_MS, kernel, 'checkpoints could not be sent to witnesses; trying again in 20 seconds');
    this.tree = new LogTree(kernel.database.pool);
  }

  override async sweep(): Promise<void> {
    if (this.witnesses.length === 0) return;
    const { rows } = await this.kernel.database.pool.query<{ id: RealmId }>({
      name: 'audit-signed-realms',
      text: 'SELECT realm_id AS id FROM tree_sizes WHERE size > 0 ORDER BY 1',
    });
    // One witness that does not answer must not delay the others.
    await Promise.all(this.witnesses.map((witness) => this.sendAll(witness, rows)));
  }

  private async sendAll(witness: Witness, realms: readonly { readonly id: RealmId }[]): Promise<void> {
    for (const { id } of realms) {
      const about = `${id} ${witness.url}`;
      if (this.isPaused(witness.url)) return;
      if (this.isPaused(about)) continue;
      try {
        await this.send(witness, id);
      } catch (error) {
        if (!(error instanceof WitnessFailure)) throw error;
        const key = error.kind === 'away' ? witness.url : about;
        this.pauses.set(key, (this.kernel.clock.now() + PAUSE_MS[error.kind]) as Instant);
        const { name } = witness.verifier;
        this.kernel.options.log.warn({ witness: name, realm: id, reason: error.message }, 'a witness did not cosign');
      }
    }
  }

  private isPaused(key: string): boolean {
    return (this.pauses.get(key) ?? 0) > this.kernel.clock.now();
  }

  private async send(witness: Witness, realmId: RealmId): Promise<void> {
    const { pool } = this.kernel.database;
    const latest = await readLatest(pool, realmId);
    if (!latest) return;
    const newest = await readNewestCosigned(pool, realmId, witness.url);
    if (newest && newest.size === latest.size && newest.at >= latest.at) return;
    const lines = await this.cosigned(witness, realmId, latest, newest?.size ?? 0);
    await saveCosignature(pool, realmId, {
      witness: witness.url,
      size: latest.size,
      at: this.kernel.clock.now(),
      lines,
    });
  }

  /** A witness that knows another size than expected says so, and is asked once more from there. */
  private async cosigned(
    witness: Witness,
    realmId: RealmId,
    { size, note }: StoredCheckpoint,
    oldSize: number,
    isAgain = false,
  ): Promise<string> {
    if (oldSize > size) throw new WitnessFailure('refused', `it knows ${oldSize} events, and the log has ${size}`);
    const proof = oldSize === 0 ? [] : await this.tree.consistency(realmId, oldSize, size);
    const answer = await addCheckpoint(witness, { oldSize, proof, text: splitNote(note)?.text ?? '', note });
    if (answer.kind === 'cosigned') return answer.lines;
    if (isAgain) throw new WitnessFailure('refused', `it knows ${answer.size} events, after it was asked from there`);
    return this.cosigned(witness, realmId, { size, note } as StoredCheckpoint, answer.size, true);
  }
}
