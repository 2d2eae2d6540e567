import { defineContext } from '@annals/kernel';

export const provisioningContext = defineContext({ name: 'provisioning' });
