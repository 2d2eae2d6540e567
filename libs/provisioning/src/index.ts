export { ProvisioningModule } from './provisioning.module';
export { provisioningContext } from './provisioning.context';
export { TokenIssue } from './application/tokens/issue-token';
