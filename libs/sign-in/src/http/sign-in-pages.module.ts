import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { AccountPages } from './pages/account.pages';
import { LoginPages } from './pages/login.pages';

/** Pages of login, account, password and confirmation. */
@Module({
  imports: [UsersModule],
  controllers: [LoginPages, AccountPages],
})
export class SignInPagesModule {}
