import type { ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';
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
beforeAll(async () => (server = await startProcesses({ apis: 2, env: { ANNALS_UPLOAD_QUOTA_MIB: '1' } })));
afterAll(() => server.close());

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
])('two apis as processes of their own: %s', (_, part) => part(() => server));
