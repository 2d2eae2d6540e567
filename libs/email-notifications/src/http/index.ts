export { EmailNotificationsHttpModule } from './email-notifications-http.module';
