import { CannotStart } from '@annals/embedded';
import { readSettings } from './settings';

const read = (env: Record<string, string>) => readSettings(env, '/srv/annals');

describe('a variable that looks like a setting and is none', () => {
  it.each([
    ['ANNALS_QUEUES_DAYS', 'ANNALS_QUEUE_DAYS'],
    ['ANNALS_MAX_UPLOAD_MB', 'ANNALS_MAX_UPLOAD_MIB'],
    ['ANNALS_PORT', 'PORT'],
    ['ANNALS_DATABASE_URL', 'DATABASE_URL'],
    ['ANNALS_REDIS_URL_FILE', 'REDIS_URL_FILE'],
    ['ANNALS_DATA_DIR_FILE', 'ANNALS_DATA_DIR'],
    ['ANNALS_POOLSIZE', 'ANNALS_POOL_SIZE'],
  ])('%s is refused, and %s is named', (name, meant) => {
    const sentence = `${name} is not a setting. Did you mean ${meant}?`;
    expect(() => read({ [name]: '1' })).toThrow(new CannotStart(sentence));
  });

  it('is refused before the value of any other is looked at', () => {
    expect(() => read({ PORT: 'http', ANNALS_HOST: '::' })).toThrow('ANNALS_HOST is not a setting.');
  });

  it('is no matter when it is blank, as a file of a composition may leave it', () => {
    expect(() => read({ ANNALS_NOTHING: ' ' })).not.toThrow();
  });

  it.each([
    ['ANNALS_TEST_REDIS_URL', 'redis://localhost'],
    ['ANNALS_SERVICE_HOST', '10.0.0.1'],
    ['ANNALS_SERVICE_PORT', '9991'],
    ['ANNALS_API_SERVICE_PORT_HTTP', '9991'],
    ['ANNALS_PORT', 'tcp://10.0.0.1:9991'],
    ['ANNALS_PORT_9991_TCP', 'tcp://10.0.0.1:9991'],
    ['ANNALS_API_PORT_9991_TCP_ADDR', '10.0.0.1'],
  ])('%s=%s is of the test suite or of Kubernetes, and passed over', (name, value) => {
    expect(read({ [name]: value })).toEqual(read({}));
  });
});
