export { PushHttpModule } from './push-http.module';
