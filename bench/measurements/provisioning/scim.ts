import type { Bench, Figures, Measurement } from '../../harness';
import { Load } from '../../harness';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import { Directory } from './directory';
import { meterOf } from '../../http/processor-time';

const PEOPLE = 10_000;
/** Connections of the directory, as Okta and Entra ID have some. */
const CONNECTIONS = 8;
/** The people whose creation is compared: behind the warm-up, and at the end. */
const PART = 1_000;
const MEMBERS = 500;

/** A directory that provisions a company: people one by one, and then a group of all of them. */
export const scim: Measurement = {
  name: 'scim',
  title: `${PEOPLE.toLocaleString('en-US')} people from a directory`,
  async run(bench) {
    // The limit of requests of a token is on, as in production.
    const { owner, api, worker, databaseUrl } = await startAnnals(bench, { ANNALS_RATE_LIMITS: 'on' });
    const kernel = await openKernel(bench, databaseUrl);
    const directory = await Directory.connect(owner, CONNECTIONS);
    bench.after(async () => directory.close());
    const used = meterOf(bench.postgres, { api: [api], worker: [worker] });
    const created = await createPeople(bench, directory);
    await followed(kernel);
    const figures: Record<string, Figures[string]> = {};
    for (const { part, micros } of used()) figures[`scim.people.cpu.${part}`] = { value: micros / PEOPLE, unit: 'µs' };
    await ensureAll(directory, created.ids);
    return {
      'scim.people.took': { value: created.took, unit: 'ms' },
      ...created.first.figures('scim.first', 'requests/s'),
      ...created.last.figures('scim.last', 'requests/s'),
      ...figures,
      ...(await fillGroup(bench, directory, created.ids)),
    };
  },
};

interface Created {
  readonly ids: readonly string[];
  /** In ms. */
  readonly took: number;
  readonly first: Load;
  readonly last: Load;
}

/** Each connection creates one person after the other. */
async function createPeople(bench: Bench, directory: Directory): Promise<Created> {
  const ids: string[] = [];
  const [first, last] = [new Load(1), new Load(1)];
  let next = 0;
  const began = performance.now();
  const connection = async () => {
    for (let n = next++; n < PEOPLE; n = next++) {
      const start = performance.now();
      ids.push(String((await directory.send('POST', '/Users', person(n), 201)).id));
      const took = performance.now() - start;
      if (n >= PART && n < 2 * PART) first.record(took, 0);
      if (n >= PEOPLE - PART) last.record(took, 0);
      if (n % 100 === 0) bench.say('creating people', `${n} of ${PEOPLE}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return { ids, took: performance.now() - began, first, last };
}

/** A person as directories send one. */
function person(n: number): object {
  const userName = `person${n}@example.com`;
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    externalId: `00u${n}`,
    userName,
    active: true,
    displayName: `Person ${n}`,
    name: { formatted: `Person ${n}`, givenName: 'Person', familyName: String(n) },
    emails: [{ primary: true, type: 'work', value: userName }],
    title: 'Engineer',
    locale: 'en-US',
    timezone: 'Europe/Berlin',
  };
}

/** @throws Error unless the directory sees each of them */
async function ensureAll(directory: Directory, ids: readonly string[]): Promise<void> {
  const { totalResults } = await directory.send('GET', '/Users?count=0&filter=externalId%20sw%20%2200u%22', null, 200);
  if (totalResults !== PEOPLE || new Set(ids).size !== PEOPLE) throw new Error(`${String(totalResults)} people`);
}

/** Fills a group, and then takes people out of it and puts them back one by one. */
async function fillGroup(bench: Bench, directory: Directory, ids: readonly string[]): Promise<Figures> {
  bench.say('filling a group');
  const members = ids.map((value) => ({ value }));
  const began = performance.now();
  const { id } = await directory.send('POST', '/Groups', { displayName: 'Everybody', members }, 201);
  const took = performance.now() - began;
  const changes = new Load(1);
  for (const value of ids.slice(0, MEMBERS)) {
    const operations = [
      { op: 'remove', path: `members[value eq "${value}"]` },
      { op: 'add', path: 'members', value: [{ value }] },
    ];
    for (const operation of operations) {
      const start = performance.now();
      await directory.send('PATCH', `/Groups/${String(id)}`, { Operations: [operation] }, 204);
      changes.record(performance.now() - start, 0);
    }
  }
  return {
    'scim.group.took': { value: took, unit: 'ms' },
    'scim.member.p50': { value: changes.percentile(50), unit: 'ms' },
  };
}
