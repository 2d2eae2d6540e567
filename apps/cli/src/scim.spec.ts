import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { secrets } from '../../../test/support/laws/secrets';
import { Cli, runCli } from '../../../test/support/processes/cli';
import type { CliInstallation } from '../../../test/support/processes/cli-installation';
import { openCliInstallation } from '../../../test/support/processes/cli-installation';

let installation: CliInstallation;
let kernel: Kernel;
let env: CliInstallation['env'];
beforeAll(async () => {
  installation = await openCliInstallation();
  ({ kernel } = installation);
  env = { ...installation.env, ANNALS_URL: 'https://chat.example.com' };
});
afterAll(() => installation.close());

const run = (...args: readonly string[]) => runCli(env, 'scim', 'token', ...args);
const TOKEN = /^annals-(\d+)-([A-Za-z0-9]{32})\n$/;
function idOf(out: string): string {
  const [, id = '', secret = ''] = TOKEN.exec(out) ?? [];
  secrets.add('key', secret);
  return id;
}
const listed = async () =>
  (await run('list', '--json')).out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('annals scim token', () => {
  it('issues, lists and ends a token, as a process', async () => {
    const { out, ...end } = await new Cli(env, 'scim', 'token', 'create', 'Okta').end();
    expect(end).toEqual({ err: '', code: 0, signal: null });
    expect(out).toMatch(TOKEN);
    const id = idOf(out);
    expect((await run('list')).out).toMatch(
      new RegExp(`^${id} {2}Okta: read-write, issued \\d{4}-\\d\\d-\\d\\d, does not expire, never used\\n$`),
    );
    expect(await run('end', id)).toMatchObject({ code: 0, err: '', out: `Ended the token ${id} (Okta).\n` });
    expect(await listed()).toEqual([]);
    const types = (await kernel.events.page(1 as RealmId, 0, 10_000)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['provisioning.TokenIssued', 'provisioning.TokenEnded']);
  });

  it('issues tokens that may only read, and shows no secret again', async () => {
    const id = idOf((await run('create', 'Reports', '--read-only')).out);
    expect(await listed()).toEqual([
      {
        id: Number(id),
        name: 'Reports',
        rights: 'read-only',
        creator_id: null,
        creator_is_owner: null,
        created: expect.any(String) as string,
        expires: null,
        last_used: null,
      },
    ]);
    await run('end', id);
  });

  it('is of the organization that is named', async () => {
    const owner = ['--owner', 'owner@garden.example.com'];
    expect((await runCli(env, 'organizations', 'create', 'garden', ...owner)).code).toBe(0);
    const id = idOf((await run('create', 'Gardeners', '--organization', 'garden')).out);
    expect(await listed()).toEqual([]);
    expect(await run('end', id)).toMatchObject({ code: 1, err: `There is no token ${id}.\n` });
    expect(await run('end', id, '--organization', 'Garden')).toMatchObject({ code: 0 });
  });

  it.each([
    [['create', ' '], 'The name of a token has 1 to 60 characters, in one line.\n'],
    [['create', 'x'.repeat(61)], 'The name of a token has 1 to 60 characters, in one line.\n'],
    [['create', 'Ok\nta'], 'The name of a token has 1 to 60 characters, in one line.\n'],
    [['create', 'Okta', '--organization', 'nowhere'], 'There is no organization nowhere.\n'],
    [['list', '--organization', 'nowhere'], 'There is no organization nowhere.\n'],
    [['end', '99'], 'There is no token 99.\n'],
  ])('%j is refused', async (args, err) => {
    expect(await run(...args)).toEqual({ out: '', err, code: 1, signal: null });
    expect(await listed()).toEqual([]);
  });

  it.each([[['end', 'x']], [['create']], [['create', 'a', 'b']], [['issue']]])('%j is explained', async (args) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: .+\n/);
  });
});
