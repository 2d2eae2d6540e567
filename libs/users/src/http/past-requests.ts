import type { Actor } from '@annals/kernel/domain';
import type { AsOf, AsOfAsked, AuditedReading } from '@annals/realm';
import { AsOfQuestions, AuditedReadings } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { reject } from '../domain/rejections';
import { UserFacts } from '../read/account/user-facts';

/** Requests about the past: which account is asked about, and the record of reads of what others could read. */
@Injectable()
export class PastRequests {
  constructor(
    private readonly questions: AsOfQuestions,
    private readonly users: UserFacts,
    private readonly readings: AuditedReadings,
  ) {}

  /**
   * @returns null for a request about the present
   * @throws Rejected as `AsOfQuestions`, and BAD_REQUEST for the view of an unknown account
   */
  async of(by: Actor, asked: AsOfAsked): Promise<AsOf | null> {
    const asOf = await this.questions.of(by, asked);
    const { viewer_id: id } = asked;
    if (id !== undefined && !(await this.users.account(by.realmId, id))) throw reject.noSuchUser();
    return asOf;
  }

  /** Records an answer before it is given, if it is what another account could read. */
  async answered(
    by: Actor,
    asOf: AsOf | null,
    { viewer_id: viewerId }: AsOfAsked,
    { parameters, ...reading }: AuditedReading,
  ): Promise<void> {
    if (asOf === null || viewerId === undefined) return;
    const asked = { as_of: `p${asOf.position}`, viewer_id: viewerId, ...parameters };
    await this.readings.record(by, { ...reading, parameters: asked });
  }
}
