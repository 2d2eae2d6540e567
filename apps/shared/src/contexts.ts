import { auditContext } from '@annals/audit';
import { botsContext } from '@annals/bots';
import { channelsContext } from '@annals/channels';
import { consumersContext } from '@annals/consumers';
import { feedContext } from '@annals/feed';
import { filesContext } from '@annals/files';
import { groupsContext } from '@annals/groups';
import { integrationsContext } from '@annals/integrations';
import type { ContextDefinition } from '@annals/kernel';
import { messagesContext } from '@annals/messages';
import { onboardingContext } from '@annals/onboarding';
import { personalContext } from '@annals/personal';
import { presenceContext } from '@annals/presence';
import { pushContext } from '@annals/push';
import { realmContext } from '@annals/realm';
import { schedulingContext } from '@annals/scheduling';
import { mailContext } from '@annals/mail';
import { emailNotificationsContext } from '@annals/email-notifications';
import { incomingMailContext } from '@annals/incoming-mail';
import { invitationsContext } from '@annals/invitations';
import { signInContext } from '@annals/sign-in';
import { provisioningContext } from '@annals/provisioning';
import { usersContext } from '@annals/users';

/** Every context, in the order in which clients receive the events of one append. */
export const contexts: readonly ContextDefinition[] = [
  realmContext,
  usersContext,
  groupsContext,
  channelsContext,
  filesContext,
  messagesContext,
  schedulingContext,
  personalContext,
  presenceContext,
  pushContext,
  botsContext,
  integrationsContext,
  onboardingContext,
  mailContext,
  emailNotificationsContext,
  incomingMailContext,
  invitationsContext,
  signInContext,
  provisioningContext,
  auditContext,
  consumersContext,
  feedContext,
];
