import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { DevLoginController } from './dev-login.controller';
import { IdentitiesController } from './identities.controller';
import { JoiningController } from './joining.controller';
import { JwtKeyController } from './jwt-key.controller';
import { JwtController } from './jwt.controller';
import { MainAddress } from './main-address';
import { OidcController } from './oidc.controller';
import { SamlController } from './saml.controller';
import { SignOnAnswers } from './sign-on-answers';
import { SocialLoginController } from './social-login.controller';
import { TrustedHeaderController } from './trusted-header.controller';

/** Single sign-on for clients and browsers. Needs `SingleSignOnModule`. */
@Module({
  imports: [UsersModule],
  providers: [SignOnAnswers, MainAddress],
  controllers: [
    JwtKeyController,
    DevLoginController,
    SocialLoginController,
    OidcController,
    SamlController,
    JwtController,
    TrustedHeaderController,
    JoiningController,
    IdentitiesController,
  ],
})
export class SingleSignOnHttpModule {}
