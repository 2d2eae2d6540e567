import { defineContext } from '../../contexts/define-context';
import { defineEvent, fact, t } from '../../domain/index';
import { toyContext } from '../../spec-support/toy-context';
import type { ToyKernel } from '../../spec-support/toy-kernel';
import { openToyKernel, realm, system } from '../../spec-support/toy-kernel';
import { canonicalText } from './canonical';
import { EventLog } from '../event-log';
import { verifyLog } from '../verify/verify';

/** Any object, so that its JSON can be checked. */
const Kept = defineEvent('spec.Kept', { data: t.Record(t.String(), t.Unknown()), sealed: t.Unknown() });
const specContext = defineContext({
  name: 'spec',
  events: [Kept],
  unhandled: { 'spec.Kept': 'only its text matters' },
});

/** Numbers with several spellings, keys that sort in several ways, text that has escapes. */
const ODD: Record<string, unknown> = {
  z: 1e21,
  tiny: 5e-324,
  sum: 0.1 + 0.2,
  minusZero: -0,
  large: Number.MAX_SAFE_INTEGER,
  '10': 'ten',
  '9': 'nine',
  é: 'é\u2028\u2029"\\/\b\t 😀',
  e: { b: [1, [2, {}]], a: null },
};

describe('the text that a hash covers', () => {
  let toy: ToyKernel;
  beforeAll(async () => {
    toy = await openToyKernel({ contexts: [toyContext, specContext] });
    await keep(ODD, ODD);
  });
  afterAll(() => toy.close());

  const keep = (data: Record<string, unknown>, sealed: unknown = null) =>
    toy.kernel.work.run(system(), async (work) => work.append('kept', [fact(Kept, data, sealed)]));
  const one = async <Row extends object>(text: string): Promise<Row | undefined> =>
    (await toy.kernel.database.pool.query<Row>(text)).rows[0];
  const verify = () => verifyLog(toy.kernel.events, toy.kernel.database.pool, realm);

  it('is stored to the byte: jsonb changes the spelling of numbers and the order of keys', async () => {
    const stored = await one('SELECT data::text AS data, data::jsonb::text AS rewritten FROM events');
    expect(stored).toMatchObject({ data: canonicalText(ODD) });
    expect(stored).not.toMatchObject({ rewritten: canonicalText(ODD) });
    const types = await one(`SELECT string_agg(DISTINCT data_type, ',') AS types FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name ~ '^events' AND column_name IN ('data', 'sealed')`);
    expect(types).toEqual({ types: 'json' });
  });

  it('is hashed as it is stored, and read with the same meaning', async () => {
    expect(await verify()).toMatchObject({ events: 1, failure: null });
    const [event] = await toy.kernel.events.page(realm, 0, 1);
    expect(event).toMatchObject({ data: { ...ODD, minusZero: 0 }, sealed: { ...ODD, minusZero: 0 } });
  });

  it('does not depend on the order in which a decision writes its fields', async () => {
    const reversed = Object.fromEntries(Object.entries(ODD).reverse());
    expect(canonicalText(reversed)).toBe(canonicalText(ODD));
  });

  it('reveals a key that was added twice, although parsing shows no difference', async () => {
    const tampering = toy.kernel.database.transaction('BEGIN', async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(`UPDATE events SET data = regexp_replace(data::text, '}$', ',"z":1e+21}')::json`);
      const { failure } = await verifyLog(new EventLog(client, toy.kernel.registry), client, realm);
      expect(failure).toMatchObject({ position: 1, what: 'its content does not match its hash' });
      throw new Error('taken back');
    });
    await expect(tampering).rejects.toThrow('taken back');
  });

  it.each([
    ['NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\ude00b'],
  ])('never holds %s, which PostgreSQL or UTF-8 would refuse or replace', async (_, text) => {
    await expect(keep({ text })).rejects.toThrow('NUL character or a lone surrogate');
    await expect(keep({ [text]: 1 })).rejects.toThrow('NUL character or a lone surrogate');
    await expect(keep({}, text)).rejects.toThrow('NUL character or a lone surrogate');
    expect((await toy.kernel.events.heads([realm])).get(realm)).toBe(1);
  });

  it.each([[NaN], [Infinity], [10n]])('never holds %s, which JSON cannot represent', async (number) => {
    await expect(keep({ number })).rejects.toThrow('spec.Kept');
    expect(await verify()).toMatchObject({ events: 1, failure: null });
  });
});
