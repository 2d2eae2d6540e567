export { OnboardingHttpModule } from './onboarding.module';
export { onboardingContext } from './onboarding.context';
export { grantTo } from './application/grant';
export { issueKeyFor } from './application/issue-key';
export { operatorsRealm } from './application/operator';
export { setUpOrganization } from './application/set-up-organization';
