import { CannotStart } from '@annals/embedded';
import { readSettings } from './settings';

const read = (env: Record<string, string>) => readSettings(env, '/srv/annals');

describe('the settings', () => {
  it('have defaults, and the data folder is in the project', () => {
    expect({ ...read({}) }).toEqual({
      PORT: 9991,
      HOST: '127.0.0.1',
      ANNALS_DATA_DIR: '/srv/annals/data',
      ANNALS_ORGANIZATION: 'Annals',
      ANNALS_OWNER_EMAIL: 'owner@annals.localhost.invalid',
      ANNALS_RATE_LIMITS: 'on',
      ANNALS_LOG_LEVEL: 'info',
      ANNALS_QUEUE_DAYS: 30,
      ANNALS_TRUSTED_PROXIES: 0,
    });
  });

  it('come from the environment, where nothing but blanks counts as not set', () => {
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
      ANNALS_LOG_LEVEL: 'debug',
      ANNALS_QUEUE_DAYS: '7',
      ANNALS_TRUSTED_PROXIES: '2',
    };
    expect({ ...read({ ...given, SHELL: '/bin/sh' }) }).toEqual({
      ...given,
      PORT: 80,
      ANNALS_QUEUE_DAYS: 7,
      ANNALS_TRUSTED_PROXIES: 2,
      ANNALS_DATA_DIR: '/srv/elsewhere',
    });
    expect(read({ REDIS_URL: ' ', PORT: '' })).toEqual(read({}));
  });

  it.each([
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535.'],
    ['DATABASE_URL', 'mysql://x/y', 'DATABASE_URL must look like postgres://user:password@host:5432/database.'],
    ['DATABASE_URL', 'postgres://host', 'DATABASE_URL must look like postgres://user:password@host:5432/database.'],
    ['REDIS_URL', 'localhost:6379', 'REDIS_URL must look like redis://host:6379.'],
    ['ANNALS_URL', 'https://chat.example.com/', 'ANNALS_URL must look like https://chat.example.com.'],
    ['ANNALS_ORGANIZATION', 'x'.repeat(41), 'ANNALS_ORGANIZATION must have at most 40 characters.'],
    ['ANNALS_OWNER_EMAIL', 'me', 'ANNALS_OWNER_EMAIL must be an email address.'],
    ['ANNALS_OWNER_PASSWORD', 'short', 'ANNALS_OWNER_PASSWORD must have 8 to 100 characters.'],
    ['ANNALS_OWNER_API_KEY', 'short', 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits.'],
    ['ANNALS_OWNER_API_KEY', 'é'.repeat(32), 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits.'],
    ['ANNALS_RATE_LIMITS', 'no', 'ANNALS_RATE_LIMITS must be "on" or "off".'],
    ['ANNALS_LOG_LEVEL', 'loud', 'ANNALS_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace.'],
    ['ANNALS_QUEUE_DAYS', '3', 'ANNALS_QUEUE_DAYS must be a whole number from 7 to 365.'],
    ['ANNALS_TRUSTED_PROXIES', 'many', 'ANNALS_TRUSTED_PROXIES must be a whole number from 0 to 10.'],
  ])('refuse %s=%s in one sentence', (name, value, sentence) => {
    expect(() => read({ [name]: value })).toThrow(new CannotStart(sentence));
  });
});
