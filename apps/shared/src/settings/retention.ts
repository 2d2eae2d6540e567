import { IsOptional } from 'class-validator';
import { Whole } from './declaring';

/** How long and how much is kept. */
export class RetentionSettings {
  /** Days that a client's event queue lives without a poll. */
  @Whole('ANNALS_QUEUE_DAYS', 7, 365)
  readonly ANNALS_QUEUE_DAYS: number = 30;

  /** Days that the texts of what was deleted remain in the log. */
  @Whole('ANNALS_ERASURE_DAYS', 0, 3_650)
  readonly ANNALS_ERASURE_DAYS: number = 30;

  /** MiB that one uploaded file may have. */
  @Whole('ANNALS_MAX_UPLOAD_MIB', 1, 10_240)
  readonly ANNALS_MAX_UPLOAD_MIB: number = 100;

  /** MiB that all files of an organization may have together; left out, there is no limit. */
  @IsOptional()
  @Whole('ANNALS_UPLOAD_QUOTA_MIB', 1, 1_000_000_000)
  readonly ANNALS_UPLOAD_QUOTA_MIB?: number;

  /** Minutes after its time within which a scheduled message is still sent. */
  @Whole('ANNALS_LATE_MINUTES', 1, 1_440)
  readonly ANNALS_LATE_MINUTES: number = 10;
}
