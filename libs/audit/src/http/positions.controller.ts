import { Moments } from '@annals/kernel';
import type { Actor, Moment, Position } from '@annals/kernel/domain';
import { nullable, t } from '@annals/kernel/domain';
import { By, Endpoint, IntegerParam, MomentParam, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { reject } from '../domain/rejections';
import { Auditing } from '../read/auditing';
import { rfc3339 } from './times';

class PositionParams {
  @MomentParam({ optional: true, about: 'A moment.' }) at?: Moment;
  @IntegerParam({ optional: true, min: 0, about: 'A position, instead of a moment.' }) position?: Position;
}

@Controller()
export class PositionsController {
  constructor(
    private readonly moments: Moments,
    private readonly auditing: Auditing,
  ) {}

  /** contract/audit.md section 2.5 */
  @Endpoint('GET', 'audit/positions', {
    audience: 'anyone',
    section: 'audit 2.5',
    summary: 'The position of a moment, and its time',
    returns: t.Object({ position: t.Integer(), at: nullable(t.String()) }),
  })
  async show(@By() by: Actor, @Params(PositionParams) { at, position }: PositionParams) {
    await this.auditing.ensure(by);
    if ((at === undefined) === (position === undefined)) throw reject.oneMoment();
    const resolved = await this.moments.resolve(by.realmId, at ?? { position: position ?? (0 as Position) });
    return { position: resolved.position, at: resolved.at === null ? null : rfc3339(resolved.at) };
  }
}
