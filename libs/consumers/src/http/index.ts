export { ConsumersHttpModule } from './consumers-http.module';
