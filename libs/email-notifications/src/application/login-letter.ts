import { translator } from '@annals/languages';
import type { MailContent } from '@annals/mail';
import type { Login } from '../read/logins';
import type { MailReader } from './mail-readers';
import { localeOf } from './texts';

/** The mail about a login. @param network of the login, null if it is not known */
export function loginContent(to: MailReader, login: Login, network: string | null): MailContent {
  const t = translator(to.language);
  const { name: organization, url } = to.organization;
  const time = timeOf(to, login);
  const facts = [
    t('emailNotifications.loginTime', { time }),
    t('emailNotifications.loginClient', { client: login.client }),
    ...(network === null ? [] : [t('emailNotifications.loginNetwork', { network })]),
  ];
  return {
    subject: t('emailNotifications.loginSubject', { organization }),
    blocks: [
      { text: t('emailNotifications.loginHappened') },
      { list: facts.map((text) => ({ text })) },
      { text: t('emailNotifications.loginIsYou') },
      { text: t('emailNotifications.loginIsNotYou', { organization }) },
      { button: t('emailNotifications.openOrganization', { organization }), url },
      { small: `${t('emailNotifications.loginReason')}\n${t('emailNotifications.cannotReply', { organization })}` },
    ],
  };
}

/** In the time zone of the user, which the text names. */
function timeOf({ user, language }: MailReader, { at }: Login): string {
  const form = {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone: user.timezone === '' ? 'UTC' : user.timezone,
  } as const;
  return new Intl.DateTimeFormat(localeOf(language), form).format(at);
}
