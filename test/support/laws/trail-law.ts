import type { TrailEntry, TrailRights } from '@annals/audit';
import { TrailEntries } from '@annals/audit';
import type { Kernel } from '@annals/kernel';
import type { RealmId, Recorded } from '@annals/kernel/domain';

const channels = new Set<number>();
const ALL: TrailRights = { words: 'all', channels };
const NONE: TrailRights = { words: 'none', channels };
/** What a sentence contains if its description forgot a case. */
const MISTAKES = /undefined|\bnull\b|NaN|\[object /;
/** Parts of sealed parts that are always texts of people. */
const TEXTS = ['content', 'description', 'email', 'note'] as const;
/** A shorter text may be the name of something by chance. */
const CHARACTERISTIC = 12;

/** Events about which the trail says nothing sensible, or says to everybody what people wrote. */
export async function badEntries(kernel: Kernel, realmId: RealmId): Promise<object[]> {
  const trail = new TrailEntries(kernel);
  const bad: object[] = [];
  for (let after = 0; ;) {
    const events = await kernel.events.pageOfAny(realmId, after, 500);
    const last = events.at(-1);
    if (!last) return bad;
    after = last.position;
    const shown = await trail.of(realmId, events, ALL);
    const withheld = await trail.of(realmId, events, NONE);
    events.forEach((event, n) => bad.push(...flawsOf(event, shown[n], withheld[n])));
  }
}

function flawsOf(event: Recorded, shown: TrailEntry | undefined, withheld: TrailEntry | undefined): object[] {
  if (!shown || !withheld) return [{ law: 'each event has an entry of the trail', position: event.position }];
  const { type, position } = event;
  const plain = shown.sentence.replace(/“[^”]*”/g, '');
  const flaws = MISTAKES.test(plain)
    ? [{ law: 'sentences are complete', type, position, sentence: shown.sentence }]
    : [];
  const text = JSON.stringify({ ...withheld, data: null });
  const leaks = textsOf(event).some((one) => text.includes(JSON.stringify(one).slice(1, -1)));
  const hasWords = withheld.words !== null || withheld.request.address !== null;
  return leaks || hasWords ? [...flaws, { law: 'the trail withholds words', type, position }] : flaws;
}

function textsOf({ sealed }: Recorded): string[] {
  if (typeof sealed !== 'object' || sealed === null) return [];
  const parts = sealed as Readonly<Record<string, unknown>>;
  return TEXTS.map((name) => parts[name]).filter(
    (text): text is string => typeof text === 'string' && text.length >= CHARACTERISTIC,
  );
}
