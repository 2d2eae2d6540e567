import type { Actor } from '@annals/kernel/domain';
import type { AuditedReading } from '@annals/realm';
import { AuditedReadings } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { AuditReads } from './audit-reads';

/** Records reads of what other accounts could read, which show what people wrote. */
@Injectable()
export class RecordedReadings extends AuditedReadings {
  constructor(private readonly reads: AuditReads) {
    super();
  }

  override record(by: Actor, { endpoint, parameters, leavesOut = false, results }: AuditedReading): Promise<void> {
    const read = { endpoint, parameters: { ...parameters }, results, words: true };
    return this.reads.record(by, read, { isOfItsOwn: leavesOut });
  }
}
