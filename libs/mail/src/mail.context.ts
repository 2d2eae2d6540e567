import { defineContext } from '@annals/kernel';

export const mailContext = defineContext({ name: 'mail' });
