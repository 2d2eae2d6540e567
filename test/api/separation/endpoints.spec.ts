import { formOf } from '../../support/server/caller';
import { SERVER_ENV } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { twinsOf } from '../../support/separation/history';
import { quiet } from '../../support/separation/quiet';
import { REFUSED } from '../../support/separation/reads';
import type { State } from '../../support/separation/state';
import { changes, stateOf } from '../../support/separation/state';
import { recordStatements } from '../../support/separation/statements';
import type { Told, Twin } from '../../support/separation/twin';
import { unboundStatements } from '../../support/separation/unbound';
import type { Step } from '../../support/separation/walk';
import { ofThePast, reads, take, writes } from '../../support/separation/walk';

/**
 * Two organizations with the same history do the same at every mounted endpoint. What one of them sees, gets and changes is
 * its own. A new endpoint needs a request in `test/support/separation`.
 */
const lines: string[] = [];
const statements = recordStatements();
let server: TestServer;
let ours: Twin;
let theirs: Twin;
beforeAll(async () => {
  const log = { write: (line: string) => void lines.push(line) };
  const env = { ...SERVER_ENV, ANNALS_MAIL_PATTERN: '%s@in.example.com' };
  server = await startTestServer({ env, log });
  [ours, theirs] = await twinsOf(server);
});
afterAll(async () => {
  statements.end();
  await server.close();
});

/** What endpoints tell by an address of the other twin, because everybody may know it. */
const KNOWN_TO_ALL = new Set(['GET /api/v1/realm/subdomain/:subdomain']);

/** Anybody may begin these at any organization, with an address or nothing, and without a key. */
const OPEN_TO_ALL = new Set(['GET /accounts/login/start/sso/', 'POST /accounts/password/reset', 'POST /register']);

/** What a twin has now that it did not have before. */
async function changesSince(before: State, twin: Twin): Promise<State> {
  await quiet(server);
  return changes(before, await stateOf(server, twin.id));
}

/** What an endpoint has told about the other twin. */
function told({ name }: Step, { status, text }: Told, word?: string): string {
  const at = word === undefined ? text.length - 160 : text.toLowerCase().indexOf(word) - 80;
  return `${name} ${status}: ${text.slice(Math.max(0, at)).slice(0, 240)}`;
}
/** Anybody may see the page of an organization at its address. */
const isOpen = ({ endpoint: { audience } }: Step) => audience === 'public';

describe('two organizations with the same ids', () => {
  it('show nothing of each other at any endpoint that reads, whoever has filled the caches', async () => {
    const [shown, silent]: [string[], string[]] = [[], []];
    let own = 0;
    for (const step of reads(server)) {
      await take(step, theirs);
      const answer = await take(step, ours);
      if (theirs.isIn(answer.text)) shown.push(told(step, answer, theirs.word));
      if (answer.status >= 400 !== step.name in REFUSED) silent.push(told(step, answer));
      if (ours.isIn(answer.text)) own += 1;
    }
    expect([shown, silent]).toEqual([[], []]);
    expect(own).toBeGreaterThan(60);
  });

  it('show nothing of each other at any moment of the past, whoever has filled the caches', async () => {
    const steps = ofThePast(reads(server));
    expect(steps.length).toBeGreaterThan(10);
    const moments = ['message', 'unseen', 'head'].map((name) => ({ as_of: `p${ours.ids[name]}` }));
    for (const more of moments) for (const step of steps) await take(step, theirs, { more });
    await quiet(server);
    const before = await stateOf(server, theirs.id);
    const shown: string[] = [];
    let own = 0;
    for (const more of moments)
      for (const step of steps) {
        const answer = await take(step, ours, { more });
        if (theirs.isIn(answer.text)) shown.push(told(step, answer, theirs.word));
        if (ours.isIn(answer.text)) own += 1;
      }
    expect(shown).toEqual([]);
    expect(own).toBeGreaterThan(20);
    expect(await changesSince(before, theirs)).toEqual({});
  });

  it('answer nothing to the keys, tokens and cookies of each other', async () => {
    const before = await stateOf(server, theirs.id);
    const [shown, admitted]: [string[], string[]] = [[], []];
    const steps = [...reads(server), ...writes(server)].filter(({ name }) => !OPEN_TO_ALL.has(name));
    for (const step of steps) {
      const answer = await take(step, ours, { host: theirs.host });
      if (isOpen(step)) continue;
      if (theirs.isIn(answer.text)) shown.push(told(step, answer, theirs.word));
      const isSentToLogin = step.endpoint.page !== undefined && answer.status === 303;
      if (answer.status < 400 && !isSentToLogin) admitted.push(told(step, answer));
    }
    expect([shown, admitted]).toEqual([[], []]);
    expect(await changesSince(before, theirs)).toEqual({});
  });

  it('find nothing by the names, addresses and tokens of each other', async () => {
    const before = await stateOf(server, theirs.id);
    const found: string[] = [];
    const steps = [...reads(server), ...writes(server).filter(({ name }) => name === 'DELETE /api/v1/events')];
    const named = steps.filter(({ name, path }) => path(ours) !== path(theirs) || name.endsWith('/api/v1/events'));
    expect(named.length).toBeGreaterThan(20);
    for (const step of named) {
      const answer = await take(step, ours, { names: theirs });
      const echo = decodeURIComponent(step.path(theirs)) + formOf(step.request(theirs).form ?? {}).toString();
      if (answer.status < 400 && !KNOWN_TO_ALL.has(step.name)) found.push(told(step, answer));
      else if (theirs.isIn(answer.text) && !theirs.isIn(echo)) found.push(told(step, answer, theirs.word));
    }
    expect(found).toEqual([]);
    expect(await changesSince(before, theirs)).toEqual({});
  });

  it('change nothing of each other at any endpoint that writes, and get no event of it', async () => {
    const { queue_id } = await theirs.did('owner', 'POST', '/register', { fetch_event_types: [] });
    const before = await stateOf(server, theirs.id);
    const [shown, refused]: [string[], string[]] = [[], []];
    for (const step of writes(server)) {
      const answer = await take(step, ours);
      if (theirs.isIn(answer.text)) shown.push(told(step, answer, theirs.word));
      const isRefused = answer.status >= 400 && (step.refused === undefined || !answer.text.includes(step.refused));
      if (isRefused && !step.endpoint.page) refused.push(told(step, answer));
    }
    expect([shown, refused]).toEqual([[], []]);
    expect(await changesSince(before, theirs)).toEqual({});
    const poll = { queue_id, last_event_id: -1, dont_block: true };
    const { events } = await theirs.did('owner', 'GET', '/events', poll);
    expect((events as { type: string }[]).filter(({ type }) => type !== 'heartbeat')).toEqual([]);
  });
});

describe('what the server does beside its answers', () => {
  it('asks for rows with the organization in every statement', async () => {
    expect(await unboundStatements(server.kernel.database.pool, statements.texts)).toEqual([]);
    expect(statements.texts.size).toBeGreaterThan(200);
  });

  it('has no word of anybody in its logs and metrics', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).not.toMatch(/realm="/);
    for (const { word } of [ours, theirs]) {
      expect(metrics).not.toContain(word);
      expect(lines.filter((line) => line.includes(word))).toEqual([]);
    }
  });
});
