import { IsOptional, IsString } from 'class-validator';
import { Whole } from './declaring';

/** Where a worker takes mail from the mail server of the operator. */
export class IncomingMailSettings {
  /** Port for LMTP. 0 takes a free one. Left out: none. */
  @IsOptional()
  @Whole('ANNALS_LMTP_PORT', 0, 65_535)
  readonly ANNALS_LMTP_PORT?: number;

  /** Address that it listens on. Only the mail server may reach it. */
  @IsString()
  readonly ANNALS_LMTP_HOST: string = '127.0.0.1';
}
