import { IsOptional, Matches, ValidateBy } from 'class-validator';
import { AreNetworks, AreSinkCredentials } from '../connection-strings';
import { areWitnesses, isSigningKey } from '../proof-values';
import { Address } from './declaring';

/** Other systems that this server talks to. */
export class ServiceSettings {
  /** Either all of these are set or none. */
  static readonly together = [['ANNALS_PUSH_BOUNCER_URL', 'ANNALS_PUSH_ORG_ID', 'ANNALS_PUSH_ORG_KEY']] as const;

  /**
   * The service that sends notifications to phones, without a slash at the end. Left out: there are none. Each request
   * has this server's credentials, so only a service on this machine may be without TLS.
   */
  @IsOptional()
  @Address(
    /^(https:\/\/([\w.-]+|\[[\da-f:.]+\])|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\]))(:\d{1,5})?(\/[\w./-]*\w)?$/i,
    'ANNALS_PUSH_BOUNCER_URL must look like https://push.example.com, with a port from 1 to 65535 if any; http is for this machine only.',
  )
  readonly ANNALS_PUSH_BOUNCER_URL?: string;

  /** The credentials of this server at the push service. */
  @IsOptional()
  @Matches(/^[^:\p{Cc}]{1,200}$/u, { message: 'ANNALS_PUSH_ORG_ID must have at most 200 characters and no colon.' })
  readonly ANNALS_PUSH_ORG_ID?: string;

  @IsOptional()
  @Matches(/^[^\p{Cc}]{1,200}$/u, { message: 'ANNALS_PUSH_ORG_KEY must have at most 200 characters.' })
  readonly ANNALS_PUSH_ORG_KEY?: string;

  /** The Ed25519 key that signs checkpoints of the logs, as PEM text. Left out: this server makes one in its data folder. */
  @IsOptional()
  @ValidateBy({
    name: 'isSigningKey',
    validator: { validate: isSigningKey, defaultMessage: () => 'ANNALS_AUDIT_KEY must be an Ed25519 key in PEM form.' },
  })
  readonly ANNALS_AUDIT_KEY?: string;

  /** Witnesses that cosign checkpoints: URL, space and verifier key of each, with commas between them. */
  @IsOptional()
  @ValidateBy({
    name: 'areWitnesses',
    validator: {
      validate: areWitnesses,
      defaultMessage: () =>
        'ANNALS_AUDIT_WITNESSES must have a URL, a space and a verifier key for each of at most 8 witnesses, separated by commas.',
    },
  })
  readonly ANNALS_AUDIT_WITNESSES?: string;

  /** Addresses and networks outside the public internet that webhooks, sinks and previews may connect to, with commas between them. */
  @AreNetworks()
  readonly ANNALS_WEBHOOK_ALLOW: string = '';

  /** How this server logs in at the engines that consumers deliver to: JSON with credentials under their names. */
  @IsOptional()
  @AreSinkCredentials()
  readonly ANNALS_SINK_CREDENTIALS?: string;
}
