import { IsOptional, IsString } from 'class-validator';
import { Switch } from './declaring';

/** How people log in besides passwords of this server. */
export class SingleSignOnSettings {
  /** The JSON file with providers of OpenID Connect, SAML and others. Left out: there are none. */
  @IsOptional()
  @IsString()
  readonly ANNALS_SIGN_ON_FILE?: string;

  /** Everybody who reaches the server may log in as anybody, for developers of clients on this machine only. */
  @Switch('ANNALS_DEV_LOGINS')
  readonly ANNALS_DEV_LOGINS: 'on' | 'off' = 'off';
}
