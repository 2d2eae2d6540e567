export { PresenceHttpModule } from './presence-http.module';
