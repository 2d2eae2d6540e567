import { join } from 'node:path';
import { TrailEntries } from '@annals/audit';
import type { TrailEntry, TrailRights } from '@annals/audit';
import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { GOLDEN } from './golden';

/** What the audit trail says about each event type, for people to read. */
export const SENTENCES = join(GOLDEN, 'sentences.txt');

const realm = 1 as RealmId;
/** Most different sentences of one type. */
const MOST = 3;
const channels = new Set<number>();
const READERS: Readonly<Record<'words' | 'none', TrailRights>> = {
  words: { words: 'all', channels },
  none: { words: 'none', channels },
};

/**
 * The sentences about a log in which everything happens: by type, as readers see them who may read words, then in
 * brackets as others do, if that differs, and the changes.
 */
export async function sentencesOf(kernel: Kernel): Promise<string> {
  const entries = new TrailEntries(kernel);
  const events = await kernel.events.page(realm, 0, 100_000);
  const shown = await entries.of(realm, events, READERS.words);
  const withheld = await entries.of(realm, events, READERS.none);
  const byType = new Map<string, Set<string>>();
  shown.forEach((entry, n) => {
    const texts = byType.get(entry.type) ?? new Set();
    byType.set(entry.type, texts);
    const other = withheld[n];
    if (texts.size < MOST && other) texts.add(textOf(entry, other));
  });
  const types = [...byType.keys()].sort();
  return types.map((type) => `${type}\n${[...(byType.get(type) ?? [])].join('')}`).join('\n');
}

function textOf(shown: TrailEntry, withheld: TrailEntry): string {
  const lines = [
    shown.sentence,
    ...(withheld.sentence === shown.sentence ? [] : [`[${withheld.sentence}]`]),
    ...shown.changes.map((change, n) => changeText(change, withheld.changes[n])),
  ];
  return lines.map((line) => `  ${withoutIds(line)}\n`).join('');
}

type Change = TrailEntry['changes'][number];

function changeText({ property, before, after }: Change, withheld: Change | undefined): string {
  const isWithheld = withheld === undefined || withheld.after !== after || withheld.before !== before;
  return `- ${property}: ${JSON.stringify(before)} → ${JSON.stringify(after)}${isWithheld ? ' [withheld]' : ''}`;
}

/** Workers append at the same time, so positions and ids that are positions differ from run to run, and so do keys. */
const withoutIds = (text: string): string =>
  text
    .replace(/\b(message|a message \(|reminder|snippet|draft|consumer|position|device|push token)( ?)\d+/g, '$1$2N')
    .replace(/\+[0-9a-f]{8}\+[\w+/=]+/g, '+…')
    .replace(/(first_message_id|avatar_file|push_key_id): .*/, '$1: …');
