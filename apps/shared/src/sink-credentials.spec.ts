import { readSettings } from './settings';
import { readSinkCredentials } from './sink-credentials';

const login = { servers: ['nats.example.com:4222'], username: 'annals', password: 'hunter2' };

describe('the logins at engines', () => {
  it('are read by their names', () => {
    expect(readSinkCredentials()).toEqual({});
    expect(readSinkCredentials(JSON.stringify({ lake: login }))).toEqual({ lake: login });
  });

  it.each([
    ['no JSON', 'hunter2', 'it is no JSON'],
    ['no object', '["hunter2"]', '/: Expected object'],
    [
      'a login for all servers',
      JSON.stringify({ lake: { password: 'hunter2' } }),
      '/lake/servers: Expected required property',
    ],
    [
      'a password that is no text',
      JSON.stringify({ lake: { ...login, password: 12 } }),
      '/lake/password: Expected string',
    ],
    ['an unknown property', JSON.stringify({ lake: { ...login, pass: 'hunter2' } }), '/lake/pass: Unexpected property'],
    ['a name with spaces', JSON.stringify({ 'hunter2 lake': login }), '/hunter2 lake: Unexpected property'],
  ])('may not be %s', (_, json, why) => {
    const message = `ANNALS_SINK_CREDENTIALS must be JSON with credentials under their names (${why}).`;
    expect(() => readSettings({ ANNALS_SINK_CREDENTIALS: json })).toThrow(message);
  });
});
