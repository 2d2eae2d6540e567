import { defineContext } from '@annals/kernel';

export const signInContext = defineContext({ name: 'sign-in' });
