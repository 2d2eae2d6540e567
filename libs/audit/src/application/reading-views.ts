import type { Actor } from '@annals/kernel/domain';
import type { AuditedReading } from '@annals/realm';
import { AuditedReadings } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { Views } from './views';

/** Records reads of what other accounts could read, which show what people wrote. */
@Injectable()
export class ReadingViews extends AuditedReadings {
  constructor(private readonly views: Views) {
    super();
  }

  override record(by: Actor, { endpoint, parameters, results }: AuditedReading): Promise<void> {
    return this.views.record(by, { endpoint, parameters: { ...parameters }, results, words: true });
  }
}
