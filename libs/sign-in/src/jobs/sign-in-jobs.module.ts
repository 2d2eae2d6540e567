import { MailComposers } from '@annals/mail';
import { UsersModule } from '@annals/users';
import type { OnModuleInit } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AccountMails, PasswordChangedMail, ResetMail } from './password-mails';

/** The mails about logins and accounts, in a worker. */
@Module({ imports: [UsersModule], providers: [AccountMails, ResetMail, PasswordChangedMail] })
export class SignInJobsModule implements OnModuleInit {
  constructor(
    private readonly composers: MailComposers,
    private readonly reset: ResetMail,
    private readonly changed: PasswordChangedMail,
  ) {}

  onModuleInit(): void {
    this.composers.register(this.reset);
    this.composers.register(this.changed);
  }
}
