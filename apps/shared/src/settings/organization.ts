import { IsEmail, IsOptional, Matches, MaxLength, MinLength } from 'class-validator';
import { Switch, Whole } from './declaring';

/** The first organization, and what organizations may do. */
export class OrganizationSettings {
  /** Name of the first organization. */
  @Matches(/^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{1,40}$/u, {
    message: 'ANNALS_ORGANIZATION must have at most 40 characters, in one line.',
  })
  readonly ANNALS_ORGANIZATION: string = 'Annals';

  @IsEmail({}, { message: 'ANNALS_OWNER_EMAIL must be an email address.' })
  readonly ANNALS_OWNER_EMAIL: string = 'owner@annals.localhost.invalid';

  /** Password of the first owner. Left out: the owner has none and uses the key. */
  @IsOptional()
  @MaxLength(100, { message: 'ANNALS_OWNER_PASSWORD must have 8 to 100 characters.' })
  @MinLength(8, { message: 'ANNALS_OWNER_PASSWORD must have 8 to 100 characters.' })
  readonly ANNALS_OWNER_PASSWORD?: string;

  /** API key of the first owner; left out, a random one is made. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9]{32}$/, { message: 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits.' })
  readonly ANNALS_OWNER_API_KEY?: string;

  /** Organizations may open channels to visitors who are not logged in. */
  @Switch('ANNALS_WEB_PUBLIC_CHANNELS')
  readonly ANNALS_WEB_PUBLIC_CHANNELS: 'on' | 'off' = 'off';

  /** A system bot writes to newcomers. */
  @Switch('ANNALS_WELCOME_BOT')
  readonly ANNALS_WELCOME_BOT: 'on' | 'off' = 'on';

  /** Mails with invitations that an organization may send in a day. */
  @Whole('ANNALS_INVITATIONS_PER_DAY', 1, 1_000_000)
  readonly ANNALS_INVITATIONS_PER_DAY: number = 1_000;
}
