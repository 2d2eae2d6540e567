import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { DevLoginController } from './dev-login.controller';
import { JwtKeyController } from './jwt-key.controller';

/** Single sign-on for clients and browsers. Needs `SingleSignOnModule`. */
@Module({ imports: [UsersModule], controllers: [JwtKeyController, DevLoginController] })
export class SingleSignOnHttpModule {}
