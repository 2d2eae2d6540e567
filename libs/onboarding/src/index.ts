export { OnboardingModule } from './onboarding.module';
export { UndoDeactivation } from './application/undo-deactivation';
export { onboardingContext } from './onboarding.context';
export { grantTo } from './application/grant';
export type { ImportedPerson } from './application/import-users';
export { importUsers } from './application/import-users';
export { issueKeyFor } from './application/issue-key';
export { operatorsRealm } from './application/operator';
export { createOrganization, setUpOrganization } from './application/set-up-organization';
