import { defineContext } from '@annals/kernel';

export const incomingMailContext = defineContext({ name: 'incoming-mail' });
