import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { OutboxWakeUps } from '@annals/kernel';
import type { Recorded, UserId } from '@annals/kernel/domain';
import { MAIL_QUEUE, addMailTasks } from '@annals/mail';
import { LOGIN_EVENTS, SERVER_PROGRAM, readRepeatedLogins } from '../read/logins';

/** The kind of mails about logins. Their key names the user and the position of the login. */
export const LOGIN = 'login';

/** Reads the log and adds a mail for each login but the first one of an account. Whether the user gets it is decided when it is written. */
export function loginMails(kernel: Kernel): CheckpointedReader {
  const wakeUps = new OutboxWakeUps(kernel, MAIL_QUEUE);
  return {
    name: 'login-mails',
    begins: 'head',
    concerns: isLogin,
    handle: async (page, client) => {
      const logins = page.filter(isLogin);
      const [first] = logins;
      if (!first) return;
      const { realmId } = first;
      const repeated = await readRepeatedLogins(client, realmId, logins.map(accountOf));
      const tasks = logins
        .filter(({ position }) => repeated.has(position))
        .map(({ position, data }) => ({ kind: LOGIN, key: `${data.userId}-${position}`, position }));
      if ((await addMailTasks(client, realmId, tasks, kernel.clock.now())) > 0) wakeUps.note(realmId);
    },
    committed: wakeUps.committed,
  };
}

type LoginEvent = Recorded & { readonly data: { readonly userId: UserId } };

const isLogin = (event: Recorded): event is LoginEvent =>
  LOGIN_EVENTS.includes(event.type) && event.actorId === null && event.client !== SERVER_PROGRAM;

const accountOf = ({ position, stream }: LoginEvent) => ({ position, stream });
