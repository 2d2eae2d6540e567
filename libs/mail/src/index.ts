export { mailContext } from './mail.context';
