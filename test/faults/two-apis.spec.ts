import type { ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';
import { secrets } from '../support/laws/secrets';
import { OIDC_CLIENT, OidcServer } from '../support/sign-on/oidc-server';
import { SignOnTestFile } from '../support/sign-on/sign-on-file';
import { bots } from './two-apis/bots';
import { deletion } from './two-apis/deletion';
import { files } from './two-apis/files';
import { groups } from './two-apis/groups';
import { guards } from './two-apis/guards';
import { personal } from './two-apis/personal';
import { profiles } from './two-apis/profiles';
import { reactions } from './two-apis/reactions';
import { reads } from './two-apis/reads';

/** One pair of apis for all specs, because their start takes longer than these. */
let server: ProcessServer;
let provider: OidcServer;
let file: SignOnTestFile;
beforeAll(async () => {
  secrets.add('password', OIDC_CLIENT.client_secret);
  const redirects: string[] = [];
  provider = await OidcServer.start(redirects);
  file = await SignOnTestFile.of({ openid_connect: { home: { issuer: provider.issuer, ...OIDC_CLIENT } } });
  server = await startProcesses({ apis: 2, env: { ANNALS_UPLOAD_QUOTA_MIB: '1', ...file.env } });
  redirects.push(`${server.url}/complete/oidc/`);
});
afterAll(async () => {
  await server.close();
  await provider.stop();
  await file.drop();
});

describe.each([
  ['what only one can have', guards],
  ['bots', bots],
  ['groups', groups],
  ['personal things', personal],
  ['profiles', profiles],
  ['reactions', reactions],
  ['what was written and ended', reads],
  ['deletion', deletion],
  // Last, because it ends them.
  ['files', files],
])('two apis as processes of their own: %s', (_, part) =>
  part(
    () => server,
    () => provider,
  ),
);
