import { Kernel, Moments } from '@annals/kernel';
import type { Actor, Moment, RealmId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Info, MomentParam, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { reject } from '../../domain/proof-rejections';
import type { CheckpointSpan, StoredCheckpoint } from '../../read/checkpoints';
import { readCheckpoints, readCosignatures, readLatest } from '../../read/checkpoints';
import { Auditing } from '../../read/auditing';
import { answerWithBytes } from './bytes-of';
import { rfc3339 } from '../times';

class SpanParams {
  @MomentParam({ optional: true, about: 'Only checkpoints after this moment.' }) from?: Moment;
  @MomentParam({ optional: true, about: 'Only checkpoints up to this moment.' }) to?: Moment;
}

/** Checkpoints in one answer: those of a year. */
const MAX_LISTED = 10_000;
const NOTE = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'private, no-store' };

@Controller()
export class CheckpointsController {
  constructor(
    private readonly kernel: Kernel,
    private readonly moments: Moments,
    private readonly auditors: Auditing,
  ) {}

  /** contract/audit.md section 5 */
  @Endpoint('GET', 'audit/checkpoint', {
    audience: 'anyone',
    section: 'audit 5',
    summary: 'The newest signed checkpoint of the log (C2SP tlog-checkpoint)',
    bytes: true,
    returns: null,
  })
  async latest(@By() by: Actor, @Info() info: RequestInfo) {
    await this.auditors.ensure(by);
    const latest = await readLatest(this.kernel.database.pool, by.realmId);
    if (!latest) throw reject.noCheckpoint();
    const [note = ''] = await this.withWitnesses(by.realmId, [latest]);
    return answerWithBytes(Buffer.from(note), NOTE, info);
  }

  /** contract/audit.md section 5 */
  @Endpoint('GET', 'audit/checkpoints', {
    audience: 'anyone',
    section: 'audit 5',
    summary: `Stored checkpoints, oldest first; at most the newest ${MAX_LISTED}`,
    returns: t.Object({
      checkpoints: t.Array(t.Object({ size: t.Integer(), at: t.String(), note: t.String() })),
    }),
  })
  async list(@By() by: Actor, @Params(SpanParams) { from, to }: SpanParams) {
    await this.auditors.ensure(by);
    for (const moment of [from, to]) if (moment) await this.moments.resolve(by.realmId, moment);
    const kept = await readCheckpoints(this.kernel.database.pool, by.realmId, spanOf(from, to), MAX_LISTED);
    const notes = await this.withWitnesses(by.realmId, kept);
    return { checkpoints: kept.map(({ size, at }, n) => ({ size, at: rfc3339(at), note: notes[n] ?? '' })) };
  }

  private async withWitnesses(realmId: RealmId, kept: readonly StoredCheckpoint[]): Promise<string[]> {
    const sizes = kept.map(({ size }) => size);
    const lines = await readCosignatures(this.kernel.database.pool, realmId, sizes);
    return kept.map(({ size, note }) => note + (lines.get(size) ?? ''));
  }
}

/** A position bounds sizes, and a time bounds the times of signing. */
const spanOf = (from: Moment | undefined, to: Moment | undefined): CheckpointSpan => ({
  sizeAfter: from && 'position' in from ? from.position : null,
  sizeUpTo: to && 'position' in to ? to.position : null,
  timeAfter: from && 'time' in from ? from.time : null,
  timeUpTo: to && 'time' in to ? to.time : null,
});
