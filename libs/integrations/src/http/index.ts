export { IntegrationsHttpModule } from './integrations-http.module';
