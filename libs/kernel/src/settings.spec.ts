import { readSettings, SettingsError } from './settings';

describe('settings', () => {
  it('have defaults that start a server on this machine', () => {
    expect(readSettings({})).toMatchObject({ PORT: 9991, HOST: '127.0.0.1', ANNALS_RATE_LIMITS: 'on' });
  });

  it('take what the environment says, and an empty variable as not set', () => {
    expect(readSettings({ PORT: '8000', HOST: '' })).toMatchObject({ PORT: 8000, HOST: '127.0.0.1' });
  });

  it.each([
    ['PORT', 'ninety', 'PORT must be a whole number'],
    ['PORT', '70000', 'PORT must be at most 65535'],
    ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must begin with postgres:// or postgresql://'],
    ['ANNALS_OWNER_API_KEY', 'short', 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits'],
    ['ANNALS_OWNER_API_KEY', 'x'.repeat(31) + '-', 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits'],
    ['ANNALS_OWNER_EMAIL', 'nobody', 'ANNALS_OWNER_EMAIL must be an email address'],
    ['ANNALS_RATE_LIMITS', 'maybe', 'ANNALS_RATE_LIMITS must be on or off'],
    ['ANNALS_LOG_LEVEL', 'loud', 'ANNALS_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace'],
    ['ANNALS_QUEUE_DAYS', '3', 'ANNALS_QUEUE_DAYS must be at least 7'],
  ])('refuse %s=%s in one sentence', (name, value, sentence) => {
    expect(() => readSettings({ [name]: value })).toThrow(new SettingsError(sentence));
  });
});
