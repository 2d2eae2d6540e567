import { Module } from '@nestjs/common';
import { OnboardingModule } from '../onboarding.module';
import { AccountsController } from './accounts.controller';

@Module({ imports: [OnboardingModule], controllers: [AccountsController] })
export class OnboardingHttpModule {}
