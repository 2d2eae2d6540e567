export { ConsumersHttpModule } from './consumers-http.module';
export { WebhookHttpModule } from './webhook-http.module';
