export { BotsHttpModule } from './bots-http.module';
