import type { Answer } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Rule } from '../../support/permissions/contract';
import { ruleOf } from '../../support/permissions/contract';
import type { SettingOwner } from '../../support/permissions/setting-owners';
import { HAVERS, madeOf } from '../../support/permissions/setting-owners';
import { Stage } from '../../support/permissions/stage';
import type { Named } from '../../support/permissions/values';
import { namedBy, rightValues, wrongValues } from '../../support/permissions/values';

let stage: Stage;
let named: Named;
beforeAll(async () => {
  stage = await Stage.open();
  named = await namedBy(stage);
});
afterAll(() => stage.close());

const outcome = ({ status, body }: Answer) => (status === 200 ? 'taken' : `${status} ${body.code ?? 'without a code'}`);
const CASES = HAVERS.flatMap((haver) =>
  haver.settings.map((setting) => ({ setting, haver, nth: nthOf(haver, setting) })),
);
const MADE = CASES.filter(({ haver }) => haver.make);

/** The number of settings with the same rule before this one. */
function nthOf({ of, settings }: SettingOwner, setting: string): number {
  const rule = (name: string) => {
    const { everyone, nobody, only } = ruleOf(of, name);
    return JSON.stringify([everyone, nobody, only]);
  };
  return settings.filter((name) => rule(name) === rule(setting)).indexOf(setting);
}

/** Values are read and judged alike for all settings of a rule: so the first gets all, and each further one its share. */
const shareOf = <Value>(values: readonly Value[], nth: number): readonly Value[] =>
  values.filter((_, k) => nth === 0 || k % SHARES === nth % SHARES);
const SHARES = 6;

/** Those that the rule forbids are tried with every setting. */
const wrongShareOf = (rule: Rule, nth: number) => {
  const wrong = wrongValues(rule, named);
  const forbidden = wrong.filter(([what]) => what in named.system);
  return [...new Set([...forbidden, ...shareOf(wrong, nth)])];
};

const seen = async (haver: SettingOwner, id: number, setting: string) => (await haver.see(stage.keeper, id))[setting];

describe.each(CASES)('the value of $setting of a $haver.of', ({ setting, haver, nth }) => {
  const rule = ruleOf(haver.of, setting);
  let id: number;
  beforeAll(async () => (id = await madeOf(haver, stage)));

  it('refuses invalid values', async () => {
    const before = await seen(haver, id, setting);
    const outcomes: [string, string][] = [];
    const wrong = wrongShareOf(rule, nth);
    const received = await stage.keeper.receive(async () => {
      for (const [what, value] of [...wrong, ['null', null] as const]) {
        outcomes.push([what, outcome(await haver.change(stage.keeper, id, { [setting]: { new: value } }))]);
      }
      for (const [what, change] of [
        ['nothing', {}],
        ['an old value alone', { old: before }],
      ] as const) {
        outcomes.push([what, outcome(await haver.change(stage.keeper, id, { [setting]: change }))]);
      }
    }, haver.event);
    const codes = [
      ...wrong.map(([what, , code]) => [what, code]),
      ['null', ''],
      ['nothing', ''],
      ['an old value alone', ''],
    ];
    expect(outcomes).toEqual(codes.map(([what, code]) => [what, `400 ${code || 'BAD_REQUEST'}`]));
    expect(await seen(haver, id, setting)).toEqual(before);
    expect(received).toEqual([]);
  });

  it('accepts valid values, is shown in normal form, and sends an event when it changes', async () => {
    const received: unknown[] = [];
    const events = await stage.keeper.receive(async () => {
      for (const [what, value, shown] of shareOf(rightValues(rule, named), nth)) {
        const old = await seen(haver, id, setting);
        const change = async (request: object) => granted(await haver.change(stage.keeper, id, { [setting]: request }));
        await change({ new: value, old });
        await change({ new: value });
        expect([what, await seen(haver, id, setting)]).toEqual([what, shown]);
        if (JSON.stringify(old) !== JSON.stringify(shown)) received.push(shown);
      }
    }, haver.event);
    expect(events.flatMap((event) => haver.received(event)[setting] ?? [])).toEqual(received);
  });

  it('is compared with the given old value', async () => {
    const [first, second] = rightValues(rule, named);
    const last = rightValues(rule, named).at(-1);
    if (!first || !second || !last) throw new Error('there are too few values');
    granted(await haver.change(stage.keeper, id, { [setting]: { new: last[1] } }));
    const request = { new: first[1], old: second[1] };
    expect(outcome(await haver.change(stage.keeper, id, { [setting]: request }))).toBe('400 EXPECTATION_MISMATCH');
    expect(await seen(haver, id, setting)).toEqual(last[2]);
    granted(await haver.change(stage.keeper, id, { [setting]: { new: first[1], old: last[1] } }));
    expect(await seen(haver, id, setting)).toEqual(first[2]);
    granted(await haver.change(stage.keeper, id, { [setting]: { new: last[1], old: null } }));
  });
});

describe.each(MADE)('$setting of a new $haver.of', ({ setting, haver, nth }) => {
  const rule = ruleOf(haver.of, setting);
  const make = async (value: unknown) => {
    const answer = await haver.make?.(stage, { [setting]: value });
    return answer as NonNullable<typeof answer>;
  };

  it('refuses invalid values, and nothing is created', async () => {
    const wrong = wrongShareOf(rule, nth);
    const received = await stage.keeper.receive(async () => {
      const outcomes: [string, string][] = [];
      for (const [what, value] of wrong) outcomes.push([what, outcome(await make(value))]);
      expect(outcomes).toEqual(wrong.map(([what, , code]) => [what, `400 ${code}`]));
    }, haver.event);
    expect(received).toEqual([]);
  });

  it('accepts valid values, in normal form', async () => {
    for (const [what, value, shown] of shareOf(rightValues(rule, named), nth)) {
      const { id, group_id } = granted(await make(value));
      expect([what, await seen(haver, id ?? group_id ?? 0, setting)]).toEqual([what, shown]);
    }
  });
});

describe('creating topics in a private channel with protected history', () => {
  const setting = 'can_create_topic_group';
  const refusal = { code: 'BAD_REQUEST', parameters: `history_public_to_subscribers, ${setting}` };
  const hidden = { invite_only: true, history_public_to_subscribers: false };

  it('must be everyone, and no equivalent group', async () => {
    const { id } = await stage.channel({ ...hidden, subscribers: [stage.keeper.id] });
    for (const [what, value, shown] of rightValues(ruleOf('stream', setting), named)) {
      const status = shown === stage.groups['everyone'] ? 200 : 400;
      const body = status === 400 ? refusal : { result: 'success' };
      const request = { name: stage.word(), subscribers: [], ...hidden, [setting]: value };
      expect([what, await stage.keeper.post('/channels/create', request)]).toMatchObject([what, { status, body }]);
      const changed = await stage.keeper.patch(`/streams/${id}`, { [setting]: { new: value } });
      expect([what, changed]).toMatchObject([what, { status, body }]);
      const shared = { ...hidden, history_public_to_subscribers: true, subscribers: [stage.keeper.id] };
      const open = await stage.channel({ ...shared, [setting]: value });
      const closing = { history_public_to_subscribers: false };
      expect([what, await stage.keeper.patch(`/streams/${open.id}`, closing)]).toMatchObject([what, { status, body }]);
    }
  });
});
