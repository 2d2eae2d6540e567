export { provisioningContext } from './provisioning.context';
