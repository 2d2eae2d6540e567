export { emailNotificationsContext } from './email-notifications.context';
