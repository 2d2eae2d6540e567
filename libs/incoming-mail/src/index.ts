export { incomingMailContext } from './incoming-mail.context';
