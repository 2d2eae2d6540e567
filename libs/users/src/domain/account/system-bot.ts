import { Role } from '@annals/kernel/domain';
import type { NewAccount } from './account';

/** The account of a bot of the server itself, such as the notification bot. */
export const systemBot = (named: Pick<NewAccount, 'userId' | 'email' | 'fullName'>): NewAccount => ({
  ...named,
  role: Role.member,
  botType: 1,
  botOwnerId: null,
  isSystemBot: true,
  awaitsFirstLogin: false,
  canCreateUsers: false,
  canChangeUserEmails: false,
});
