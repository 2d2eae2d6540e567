import type { SmtpAccess } from '@annals/mail';
import { ValidateBy } from 'class-validator';

/** Ports of submission (RFC 6409 and RFC 8314). */
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * How a mail server is reached.
 *
 * @returns null for a URL that says nothing of the kind
 */
export function readSmtpUrl(url: string): SmtpAccess | null {
  if (/[\s#\\]/.test(url) || !URL.canParse(url)) return null;
  const { protocol, hostname, port, username, password, pathname, search } = new URL(url);
  const usual = PORTS[protocol];
  if (usual === undefined || hostname === '' || port === '0' || !['', '/'].includes(pathname) || search !== '')
    return null;
  if ((username === '') !== (password === '')) return null;
  try {
    const login =
      username === '' ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    return { host, port: port === '' ? usual : Number(port), isSecure: protocol === 'smtps:', login };
  } catch {
    return null;
  }
}

/** A URL of a mail server. The message has nothing of it. */
export const IsSmtpUrl = (): PropertyDecorator =>
  ValidateBy({
    name: 'isSmtpUrl',
    validator: {
      validate: (value) => typeof value === 'string' && readSmtpUrl(value) !== null,
      defaultMessage: () =>
        'ANNALS_SMTP_URL must look like smtp://user:password@mail.example.com:587 or smtps://…:465, with special characters of the password percent-encoded (# is %23).',
    },
  });
