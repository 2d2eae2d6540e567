import { JsonLog } from './json-log';

function logging(level: ConstructorParameters<typeof JsonLog>[0] = 'trace') {
  const lines: Record<string, unknown>[] = [];
  const log = new JsonLog(level, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { log, lines };
}

describe('the log of the process', () => {
  it('is JSON lines with level, place and text', () => {
    const { log, lines } = logging();
    log.log('started', 'Api');
    log.warn({ msg: 'slow', ms: 3 }, 'Lane');
    log.error('broke', 'at line 1', 'Api');
    log.error(new Error('broke'));
    log.fatal('gone');
    expect(lines).toMatchObject([
      { level: 30, context: 'Api', msg: 'started' },
      { level: 40, context: 'Lane', msg: 'slow', ms: 3 },
      { level: 50, context: 'Api', msg: 'broke', stack: 'at line 1' },
      { level: 50, msg: 'broke', err: { name: 'Error', message: 'broke' } },
      { level: 60, msg: 'gone' },
    ]);
  });

  it("leaves out what is below its level, and the framework's own messages above debug", () => {
    const { log, lines } = logging('info');
    log.debug('detail', 'Lane');
    log.verbose('more detail', 'Lane');
    log.log('Mapped {/api/v1/messages, POST} route', 'RouterExplorer');
    expect(lines).toEqual([]);
  });

  it('contains the message, stack, code and cause of an error, and no field that a driver added', () => {
    const { log, lines } = logging();
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(a@example.com)' });
    const err = Object.assign(new Error('query failed', { cause }), { query: 'INSERT', parameters: ['secret'] });
    log.error({ msg: 'request failed', err }, 'request');
    expect(lines[0]?.err).toEqual({
      name: 'Error',
      message: 'query failed',
      stack: expect.any(String) as string,
      cause: { name: 'Error', message: 'duplicate key', code: '23505', stack: expect.any(String) as string },
    });
  });
});
