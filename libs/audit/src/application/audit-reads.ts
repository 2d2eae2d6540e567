import { createHash, randomUUID } from 'node:crypto';
import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { AuditRead } from '../domain/audit-reads';
import { auditReadsAggregate, questionOf, readStreams, recordRead } from '../domain/audit-reads';

/** Records who reads the history (contract/audit.md section 1). A read is answered after it is recorded. */
@Injectable()
export class AuditReads {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Records one read of an account, unless it continues one of the same minute.
   *
   * @param isOfItsOwn it is not known whether it continues another one, so it is recorded
   */
  async record(by: Actor, read: AuditRead, { isOfItsOwn = false } = {}): Promise<void> {
    const question = isOfItsOwn ? randomUUID() : digest(questionOf(read));
    await this.work.run(by, async (work) => {
      const { own, before } = readStreams(by.userId, question, work.at);
      const earlier = before === null ? [] : [await work.read(auditReadsAggregate, before)];
      await work.decide(auditReadsAggregate, own, (recent) => recordRead([recent, ...earlier], read, work.at));
    });
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
