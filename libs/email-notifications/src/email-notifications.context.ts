import { defineContext } from '@annals/kernel';

export const emailNotificationsContext = defineContext({ name: 'email-notifications' });
