export { OnboardingHttpModule } from './onboarding.module';
export { onboardingContext } from './onboarding.context';
export { issueKeyFor } from './application/issue-key';
export { setUpOrganization } from './application/set-up-organization';
