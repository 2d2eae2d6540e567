export { ProvisioningHttpModule } from './provisioning-http.module';
