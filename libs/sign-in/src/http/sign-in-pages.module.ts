import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { AccountPages } from './pages/account.pages';
import { AskForResetHandler } from '../application/ask-for-reset';
import { EmailConfirmationPages } from './pages/email-confirmation.pages';
import { LoginPages } from './pages/login.pages';
import { TwoFactorPages } from './pages/two-factors.pages';
import { TwoFactorsOfOthersPages } from './pages/two-factors-of-others.pages';
import { PasswordResetPages } from './pages/password-reset.pages';

/** Pages of login, account, password and confirmation. */
@Module({
  imports: [UsersModule],
  providers: [AskForResetHandler],
  controllers: [
    LoginPages,
    AccountPages,
    PasswordResetPages,
    TwoFactorPages,
    TwoFactorsOfOthersPages,
    EmailConfirmationPages,
  ],
})
export class SignInPagesModule {}
