import type { ReferenceBouncer } from '../support/push/bouncer';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

/** A server on which every type of event can happen. */
export const startGoldenServer = (bouncer: ReferenceBouncer): Promise<TestServer> =>
  startTestServer({ env: { ...bouncer.env, ANNALS_DEV_LOGINS: 'on', ANNALS_MAIL_PATTERN: '%s@in.example.com' } });
