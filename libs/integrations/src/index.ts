export { integrationsContext } from './integrations.context';
export { IntegrationsModule } from './integrations.module';
export { PostDelivery } from './application/post-delivery';
