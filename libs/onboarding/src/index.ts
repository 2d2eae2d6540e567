export { OnboardingHttpModule, OnboardingModule } from './onboarding.module';
export { onboardingContext } from './onboarding.context';
export { issueKeyFor } from './application/issue-key';
export type { OrganizationReport, OrganizationWish } from './application/set-up-organization';
export { setUpOrganization } from './application/set-up-organization';
