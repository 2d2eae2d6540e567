export { ConsumersHttpModule } from './consumers-http.module';
export { SinkHttpModule } from './sink-http.module';
export { WebhookHttpModule } from './webhook-http.module';
