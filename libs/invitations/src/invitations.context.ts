import { defineContext } from '@annals/kernel';

export const invitationsContext = defineContext({ name: 'invitations' });
