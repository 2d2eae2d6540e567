import { CannotStart } from '@annals/embedded';
import { readSmtpUrl } from './mail/smtp-url';
import { readSettings } from './settings';

const read = (env: Record<string, string>) => readSettings(env, '/srv/annals');

const DATABASE_URL =
  'DATABASE_URL must look like postgres://user:password@host:5432/database, ' +
  'with special characters of the password percent-encoded (# is %23).';
const REDIS_URL =
  'REDIS_URL must look like redis://:password@host:6379, ' +
  'with special characters of the password percent-encoded (# is %23).';

const PUSH_URL =
  'ANNALS_PUSH_BOUNCER_URL must look like https://push.example.com, with a port from 1 to 65535 if any; http is for this machine only.';
const PUSH_NAMES = 'ANNALS_PUSH_BOUNCER_URL, ANNALS_PUSH_ORG_ID, ANNALS_PUSH_ORG_KEY';
const PUSH = { ANNALS_PUSH_ORG_ID: 'us', ANNALS_PUSH_ORG_KEY: 'a key: with a colon' };

const NETWORKS =
  'ANNALS_WEBHOOK_ALLOW must have addresses or networks such as 10.1.2.3 and 10.2.0.0/16, with commas between them.';

const SMTP_URL =
  'ANNALS_SMTP_URL must look like smtp://user:password@mail.example.com:587 or smtps://…:465, ' +
  'with special characters of the password percent-encoded (# is %23).';
const PATTERN = 'ANNALS_MAIL_PATTERN must look like %s@in.example.com or chat+%s@example.com.';
const LONG_PATTERN =
  'ANNALS_MAIL_PATTERN may have 14 characters before the @ beside %s, and has 15. ' +
  'Mail servers take 64 in all, and up to 50 stand for %s.';

describe('the settings', () => {
  it('have defaults, and the data folder is in the project', () => {
    expect({ ...read({}) }).toEqual({
      PORT: 9991,
      HOST: '127.0.0.1',
      ANNALS_DATA_DIR: '/srv/annals/data',
      ANNALS_ORGANIZATION: 'Annals',
      ANNALS_OWNER_EMAIL: 'owner@annals.localhost.invalid',
      ANNALS_RATE_LIMITS: 'on',
      ANNALS_WEB_PUBLIC_CHANNELS: 'off',
      ANNALS_WELCOME_BOT: 'on',
      ANNALS_INVITATIONS_PER_DAY: 1_000,
      ANNALS_LOG_LEVEL: 'info',
      ANNALS_QUEUE_DAYS: 30,
      ANNALS_ERASURE_DAYS: 30,
      ANNALS_LATE_MINUTES: 10,
      ANNALS_MAX_UPLOAD_MIB: 100,
      ANNALS_WEBHOOK_ALLOW: '',
      ANNALS_TRUSTED_PROXIES: 0,
      ANNALS_POOL_SIZE: 16,
      ANNALS_DRAIN_SECONDS: 5,
      ANNALS_REALM_METRICS: 'off',
      ANNALS_REQUESTS_AT_ONCE: 12,
      ANNALS_LMTP_HOST: '127.0.0.1',
      ANNALS_DEV_LOGINS: 'off',
    });
  });

  it('are read from the environment, and blanks count as not set', () => {
    const given = {
      PORT: '80',
      HOST: '::1',
      DATABASE_URL: 'postgresql://me@db/annals',
      REDIS_URL: 'rediss://cache:6380',
      ANNALS_DATA_DIR: '../elsewhere',
      ANNALS_URL: 'https://chat.example.com',
      ANNALS_ORGANIZATION: 'Ours',
      ANNALS_OWNER_EMAIL: 'me@example.com',
      ANNALS_OWNER_PASSWORD: 'a secret',
      ANNALS_OWNER_API_KEY: 'abcdefghijABCDEFGHIJ012345678901',
      ANNALS_RATE_LIMITS: 'off',
      ANNALS_WEB_PUBLIC_CHANNELS: 'on',
      ANNALS_WELCOME_BOT: 'off',
      ANNALS_LOG_LEVEL: 'debug',
      ANNALS_QUEUE_DAYS: '7',
      ANNALS_ERASURE_DAYS: '0',
      ANNALS_LATE_MINUTES: '5',
      ANNALS_MAX_UPLOAD_MIB: '10240',
      ANNALS_WEBHOOK_ALLOW: '10.1.2.3, fd00::/8',
      ANNALS_UPLOAD_QUOTA_MIB: '5120',
      ANNALS_TRUSTED_PROXIES: '2',
      ANNALS_POOL_SIZE: '40',
      ANNALS_LANES: '3',
      ANNALS_REQUESTS_AT_ONCE: '24',
      ANNALS_WORKER_PORT: '9992',
      ANNALS_DRAIN_SECONDS: '0',
      ANNALS_REALM_METRICS: 'on',
      ANNALS_SMTP_URL: 'smtps://chat:pass%23word@mail.example.com',
      ANNALS_MAIL_FROM: 'chat@example.com',
      ANNALS_MAIL_PATTERN: 'chat+%s@example.com',
      ANNALS_LMTP_PORT: '24',
      ANNALS_LMTP_HOST: '10.0.0.2',
      ANNALS_SIGN_ON_FILE: '/etc/annals/sign-on.json',
      ANNALS_DEV_LOGINS: 'on',
    };
    expect({ ...read({ ...given, SHELL: '/bin/sh' }) }).toEqual({
      ...given,
      PORT: 80,
      ANNALS_QUEUE_DAYS: 7,
      ANNALS_ERASURE_DAYS: 0,
      ANNALS_LATE_MINUTES: 5,
      ANNALS_MAX_UPLOAD_MIB: 10_240,
      ANNALS_UPLOAD_QUOTA_MIB: 5_120,
      ANNALS_INVITATIONS_PER_DAY: 1_000,
      ANNALS_TRUSTED_PROXIES: 2,
      ANNALS_POOL_SIZE: 40,
      ANNALS_LANES: 3,
      ANNALS_REQUESTS_AT_ONCE: 24,
      ANNALS_WORKER_PORT: 9_992,
      ANNALS_LMTP_PORT: 24,
      ANNALS_DRAIN_SECONDS: 0,
      ANNALS_DATA_DIR: '/srv/elsewhere',
    });
    expect(read({ REDIS_URL: ' ', PORT: '' })).toEqual(read({}));
  });

  it.each(['postgres://me:p%23%2F%40@[::1]:5432/annals?sslmode=disable', 'postgres://me@%2Frun%2Fpostgresql/annals'])(
    'accept %s as the database',
    (url) => expect(read({ DATABASE_URL: url }).DATABASE_URL).toBe(url),
  );

  it.each(['redis://h', 'redis://:pw%23@h:6379/3', 'rediss://me:pw@[::1]:6380/?family=6'])(
    'accept %s as the Redis',
    (url) => expect(read({ REDIS_URL: url }).REDIS_URL).toBe(url),
  );

  it.each(['http://localhost', 'https://chat.example.com:8443', 'http://[::1]:9991'])(
    'accept %s as the address',
    (url) => expect(read({ ANNALS_URL: url }).ANNALS_URL).toBe(url),
  );

  it.each([
    ['ANNALS_WEB_PUBLIC_CHANNELS', 'yes', 'ANNALS_WEB_PUBLIC_CHANNELS must be "on" or "off".'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '0x10', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535.'],
    ['DATABASE_URL', 'mysql://x/y', DATABASE_URL],
    ['DATABASE_URL', 'postgres://host', DATABASE_URL],
    ['DATABASE_URL', 'postgres://me:s3cret@host:abc/db', DATABASE_URL],
    ['DATABASE_URL', 'postgres://me:s3cret@host:99999/db', DATABASE_URL],
    ['DATABASE_URL', 'postgres://me:12#s3cret@host/db', DATABASE_URL],
    ['DATABASE_URL', 'postgres://me:12/s3cret@host/db', DATABASE_URL],
    ['DATABASE_URL', 'postgres://me:/s3cret@host/db', DATABASE_URL],
    ['DATABASE_URL', 'postgres://me:12?s3cret@host/db', DATABASE_URL],
    ['DATABASE_URL', 'postgres://me:%zz@host/db', DATABASE_URL],
    ['DATABASE_URL', 'postgres://@/db x', DATABASE_URL],
    [
      'DATABASE_URL',
      'postgres://me:s3cret@host/db?sslrootcert=/nope',
      "DATABASE_URL cannot be used: ENOENT: no such file or directory, open '/nope'.",
    ],
    ['REDIS_URL', 'localhost:6379', REDIS_URL],
    ['REDIS_URL', 'redis://', REDIS_URL],
    ['REDIS_URL', 'redis://:topsecret@h:abc', REDIS_URL],
    ['REDIS_URL', 'redis://:pw%zz@h', REDIS_URL],
    ['REDIS_URL', 'redis://me:12/topsecret@h', REDIS_URL],
    ['REDIS_URL', 'redis://me:12#topsecret@h', REDIS_URL],
    [
      'ANNALS_URL',
      'https://chat.example.com:99999',
      'ANNALS_URL must look like https://chat.example.com, with a port from 1 to 65535 if any.',
    ],
    [
      'ANNALS_URL',
      'https://chat.example.com/',
      'ANNALS_URL must look like https://chat.example.com, with a port from 1 to 65535 if any.',
    ],
    [
      'ANNALS_URL',
      'https://x.com?y',
      'ANNALS_URL must look like https://chat.example.com, with a port from 1 to 65535 if any.',
    ],
    [
      'ANNALS_URL',
      'https://me:secret@x.com',
      'ANNALS_URL must look like https://chat.example.com, with a port from 1 to 65535 if any.',
    ],
    ['ANNALS_ORGANIZATION', 'x'.repeat(41), 'ANNALS_ORGANIZATION must have at most 40 characters, in one line.'],
    ['ANNALS_ORGANIZATION', 'Our\nplace', 'ANNALS_ORGANIZATION must have at most 40 characters, in one line.'],
    ['ANNALS_OWNER_EMAIL', 'me', 'ANNALS_OWNER_EMAIL must be an email address.'],
    ['ANNALS_OWNER_PASSWORD', 'short', 'ANNALS_OWNER_PASSWORD must have 8 to 100 characters.'],
    ['ANNALS_OWNER_API_KEY', 'short', 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits.'],
    ['ANNALS_OWNER_API_KEY', 'é'.repeat(32), 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits.'],
    ['ANNALS_RATE_LIMITS', 'no', 'ANNALS_RATE_LIMITS must be "on" or "off".'],
    ['ANNALS_WELCOME_BOT', 'no', 'ANNALS_WELCOME_BOT must be "on" or "off".'],
    ['ANNALS_LOG_LEVEL', 'loud', 'ANNALS_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace.'],
    ['ANNALS_ERASURE_DAYS', '-1', 'ANNALS_ERASURE_DAYS must be a whole number from 0 to 3650.'],
    ['ANNALS_QUEUE_DAYS', '3', 'ANNALS_QUEUE_DAYS must be a whole number from 7 to 365.'],
    ['ANNALS_WEBHOOK_ALLOW', 'wiki.example.com', NETWORKS],
    ['ANNALS_WEBHOOK_ALLOW', '10.0.0.0/33', NETWORKS],
    ['ANNALS_MAX_UPLOAD_MIB', '0', 'ANNALS_MAX_UPLOAD_MIB must be a whole number from 1 to 10240.'],
    ['ANNALS_MAX_UPLOAD_MIB', '1.5', 'ANNALS_MAX_UPLOAD_MIB must be a whole number from 1 to 10240.'],
    ['ANNALS_UPLOAD_QUOTA_MIB', '-1', 'ANNALS_UPLOAD_QUOTA_MIB must be a whole number from 1 to 1000000000.'],
    ['ANNALS_TRUSTED_PROXIES', 'many', 'ANNALS_TRUSTED_PROXIES must be a whole number from 0 to 10.'],
    ['ANNALS_LANES', '0', 'ANNALS_LANES must be a whole number from 1 to 16.'],
    ['ANNALS_REQUESTS_AT_ONCE', '0', 'ANNALS_REQUESTS_AT_ONCE must be a whole number from 1 to 10000.'],
    ['ANNALS_WORKER_PORT', 'off', 'ANNALS_WORKER_PORT must be a whole number from 0 to 65535.'],
    ['ANNALS_DRAIN_SECONDS', '5s', 'ANNALS_DRAIN_SECONDS must be a whole number from 0 to 300.'],
    ['ANNALS_REALM_METRICS', 'yes', 'ANNALS_REALM_METRICS must be "on" or "off".'],
    ['ANNALS_SMTP_URL', 'mail.example.com', SMTP_URL],
    ['ANNALS_SMTP_URL', 'http://mail.example.com', SMTP_URL],
    ['ANNALS_SMTP_URL', 'smtp://user@mail.example.com', SMTP_URL],
    ['ANNALS_SMTP_URL', 'smtp://user:s3#cret@mail.example.com', SMTP_URL],
    ['ANNALS_SMTP_URL', 'smtp://mail.example.com?tls=no', SMTP_URL],
    ['ANNALS_MAIL_FROM', 'me', 'ANNALS_MAIL_FROM must be an email address.'],
    ['ANNALS_MAIL_PATTERN', 'chat@example.com', PATTERN],
    ['ANNALS_MAIL_PATTERN', '%s%s@example.com', PATTERN],
    ['ANNALS_MAIL_PATTERN', 'chat..%s@example.com', PATTERN],
    ['ANNALS_MAIL_PATTERN', `${'x'.repeat(14)}+%s@example.com`, LONG_PATTERN],
    ['ANNALS_POOL_SIZE', '3', 'ANNALS_POOL_SIZE must be a whole number from 4 to 1000.'],
  ])('refuse %s=%s in one sentence', (name, value, sentence) => {
    expect(() => read({ [name]: value })).toThrow(new CannotStart(sentence));
  });

  it.each([
    ...[
      'https://push.example.com',
      'https://push.example.com:8443/at/a.path',
      'https://[2001:db8::1]',
      'https://10.0.0.1',
    ],
    ...[
      'http://localhost',
      'http://LOCALHOST:9980',
      'http://127.0.0.1:9980/push',
      'http://127.1.2.3',
      'http://[::1]:80',
    ],
  ])('accept %s as the push service', (url) =>
    expect(read({ ...PUSH, ANNALS_PUSH_BOUNCER_URL: url })).toMatchObject({ ...PUSH, ANNALS_PUSH_BOUNCER_URL: url }),
  );

  it.each([
    ...['http://push.example.com', 'http://10.0.0.1', 'http://0.0.0.0', 'http://[::]', 'http://[::ffff:10.0.0.1]'],
    ...['http://localhost.example.com', 'http://127.0.0.1.example.com', 'http://127.0.0.1@example.com', 'http://127.1'],
    ...['http://localhost:80@example.com', 'https://me:secret@push.example.com', 'https://push.example.com/'],
    ...['https://push.example.com?x', 'https://push.example.com#x', 'ftp://localhost', 'localhost', 'https://'],
    ...['https://push.example.com:99999', 'https://push.example.com:0', 'http://localhost:65536', 'http://127.0.0.999'],
  ])('refuse %s as the push service', (url) =>
    expect(() => read({ ...PUSH, ANNALS_PUSH_BOUNCER_URL: url })).toThrow(new CannotStart(PUSH_URL)),
  );

  it.each(['ANNALS_PUSH_BOUNCER_URL', 'ANNALS_PUSH_ORG_ID', 'ANNALS_PUSH_ORG_KEY'])(
    'refuse a push service without %s',
    (name) => {
      const all = { ...PUSH, ANNALS_PUSH_BOUNCER_URL: 'https://push.example.com' };
      const sentence = `${name} must be set too. ${PUSH_NAMES} are needed together.`;
      expect(() => read({ ...all, [name]: ' ' })).toThrow(new CannotStart(sentence));
    },
  );

  it('refuse a mail server without an address that mails are from', () => {
    const sentence = 'ANNALS_MAIL_FROM must be set too. ANNALS_SMTP_URL, ANNALS_MAIL_FROM are needed together.';
    expect(() => read({ ANNALS_SMTP_URL: 'smtp://mail.example.com' })).toThrow(new CannotStart(sentence));
  });

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isSecure: false, login: null }],
    ['smtps://[2001:db8::1]:4650', { host: '2001:db8::1', port: 4_650, isSecure: true, login: null }],
    ['smtp://a%40b:p%3A%23@127.0.0.1:25', { login: { user: 'a@b', password: 'p:#' }, port: 25 }],
  ])('know the mail server of %s', (url, access) => expect(readSmtpUrl(url)).toMatchObject(access));

  it.each([
    ['ANNALS_PUSH_ORG_ID', 'a:b', 'ANNALS_PUSH_ORG_ID must have at most 200 characters and no colon.'],
    ['ANNALS_PUSH_ORG_KEY', 'x'.repeat(201), 'ANNALS_PUSH_ORG_KEY must have at most 200 characters.'],
    ['ANNALS_LATE_MINUTES', '0', 'ANNALS_LATE_MINUTES must be a whole number from 1 to 1440.'],
  ])('refuse %s=%s beside the rest', (name, value, sentence) => {
    const all = { ...PUSH, ANNALS_PUSH_BOUNCER_URL: 'https://push.example.com' };
    expect(() => read({ ...all, [name]: value })).toThrow(new CannotStart(sentence));
  });
});
