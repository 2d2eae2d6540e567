import type { CheckpointedReader, Kernel } from '@annals/kernel';
import type { Instant, Recorded } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { NewMailTask } from '@annals/mail';
import { mailTasksReader } from '@annals/mail';
import type { AccountCreated, DeactivationExplained } from '@annals/users/events';
import type { InvitationResent, PersonInvited, RegistrationRequested } from '../../domain/events';

/** Kinds of mails. */
export const INVITATION_MAIL = 'invitation';
export const REMINDER_MAIL = 'invitation-reminder';
export const REGISTRATION_MAIL = 'registration';
export const WELCOME_MAIL = 'welcome';
export const DEACTIVATION_MAIL = 'deactivation';

/** Only invitations that last so long have a reminder. */
const REMINDED_MS = 4 * DAY_MS;
/** How long before the end the reminder comes. */
const BEFORE_END_MS = 2 * DAY_MS;

/** Turns events into mails to people who are invited, join or leave. */
export const invitationMails = (kernel: Kernel): CheckpointedReader =>
  mailTasksReader(kernel, 'invitation-mails', tasksOf);

/** The mails that an event causes. Keys begin with the id of what the mail is about. */
export function tasksOf(event: Recorded): NewMailTask[] {
  switch (event.type) {
    case 'invitations.PersonInvited':
      return [invitationTask(event as Recorded<PersonInvited>), ...reminderTasks(event as Recorded<PersonInvited>)];
    case 'invitations.InvitationResent':
      return [invitationTask(event as Recorded<InvitationResent>)];
    case 'invitations.RegistrationRequested': {
      const { registrationId } = (event as Recorded<RegistrationRequested>).data;
      return [{ kind: REGISTRATION_MAIL, key: String(registrationId) }];
    }
    case 'users.AccountCreated':
      return welcomeTasks(event as Recorded<AccountCreated>);
    case 'users.DeactivationExplained': {
      const { userId } = (event as Recorded<DeactivationExplained>).data;
      return [{ kind: DEACTIVATION_MAIL, key: `${userId}:${event.position}` }];
    }
    default:
      return [];
  }
}

const invitationTask = ({ data, position }: Recorded<PersonInvited> | Recorded<InvitationResent>): NewMailTask => ({
  kind: INVITATION_MAIL,
  key: `${data.invitationId}:${position}`,
});

function reminderTasks({ at, data: { invitationId, expiresAt } }: Recorded<PersonInvited>): NewMailTask[] {
  if (expiresAt === null || expiresAt - at < REMINDED_MS) return [];
  return [{ kind: REMINDER_MAIL, key: String(invitationId), dueAt: (expiresAt - BEFORE_END_MS) as Instant }];
}

/** People who open their account themselves. Whoever opens one for others tells them. */
function welcomeTasks({ data }: Recorded<AccountCreated>): NewMailTask[] {
  const { userId, botType, isSystemBot, awaitsFirstLogin } = data;
  if (botType !== null || isSystemBot || awaitsFirstLogin) return [];
  return [{ kind: WELCOME_MAIL, key: String(userId) }];
}

/** The id that a key begins with. */
export const idOf = <Id extends number>(key: string): Id => Number(key.split(':')[0]) as Id;
