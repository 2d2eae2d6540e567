import { MailComposers } from '@annals/mail';
import { UsersModule } from '@annals/users';
import type { OnModuleInit } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AccountMails } from './account-mails';
import { ConfirmEmailMail, EmailChangedMail } from './email-mails';
import { PasswordChangedMail, ResetMail } from './password-mails';
import { TwoFactorsEndedMail } from './two-factor-mails';

/** The mails about logins and accounts, in a worker. */
@Module({
  imports: [UsersModule],
  providers: [AccountMails, ResetMail, PasswordChangedMail, ConfirmEmailMail, EmailChangedMail, TwoFactorsEndedMail],
})
export class SignInJobsModule implements OnModuleInit {
  constructor(
    private readonly composers: MailComposers,
    private readonly reset: ResetMail,
    private readonly changed: PasswordChangedMail,
    private readonly confirm: ConfirmEmailMail,
    private readonly emailChanged: EmailChangedMail,
    private readonly twoFactorsEnded: TwoFactorsEndedMail,
  ) {}

  onModuleInit(): void {
    this.composers.register(this.reset);
    this.composers.register(this.changed);
    this.composers.register(this.confirm);
    this.composers.register(this.emailChanged);
    this.composers.register(this.twoFactorsEnded);
  }
}
