export { invitationsContext } from './invitations.context';
