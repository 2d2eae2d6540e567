import { t } from '@annals/kernel/domain';
import type { Integration, TranslatedDelivery } from './integration';
import { link } from './shared/markdown';
import { branchOf, shortSha } from './shared/git';
import { maybe, readerOf } from './shared/payload';

const JENKINS = 'Jenkins';

/** What the Notification plugin of Jenkins sends at each phase of a build. */
const read = readerOf(
  JENKINS,
  t.Object({
    name: t.String(),
    display_name: maybe(t.String()),
    build: t.Object({
      full_url: maybe(t.String()),
      number: t.Integer(),
      phase: t.String(),
      status: maybe(t.String()),
      scm: maybe(t.Object({ branch: maybe(t.String()), commit: maybe(t.String()) })),
    }),
  }),
);

/** Event types by phase. A finished build has the type of its status. */
const PHASES: Readonly<Record<string, string>> = { QUEUED: 'queued', STARTED: 'started' };
const STATUSES: Readonly<Record<string, string>> = {
  SUCCESS: 'success',
  FAILURE: 'failure',
  UNSTABLE: 'unstable',
  ABORTED: 'aborted',
  NOT_BUILT: 'not_built',
};

const WORDS: Readonly<Record<string, string>> = {
  queued: 'was queued',
  started: 'started',
  success: 'succeeded :check:',
  failure: 'failed :cross_mark:',
  unstable: 'is unstable :warning:',
  aborted: 'was aborted',
  not_built: 'was not built',
};

const own = (values: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function translate(payload: unknown): TranslatedDelivery {
  const { name, display_name: shown, build } = read(payload);
  const { full_url: url, number, phase, status, scm } = build;
  // Each build is completed and finalized: one of the two is enough.
  if (phase === 'FINALIZED') return [];
  const event = phase === 'COMPLETED' ? own(STATUSES, status ?? '') : own(PHASES, phase);
  if (event === undefined) return { unsupported: phase === 'COMPLETED' ? `${phase}:${status ?? '???'}` : phase };
  const job = shown || name;
  const title = `${job} #${number}`;
  const branch = scm?.branch ? ` on branch ${branchOf(scm.branch).replace(/^origin\//, '')}` : '';
  const commit = scm?.commit ? ` (${shortSha(scm.commit)})` : '';
  const content = `Build ${url ? link(title, url) : title} ${WORDS[event]}${branch}${commit}`;
  return [{ topic: job, content, event }];
}

export const jenkins: Integration = {
  name: 'jenkins',
  displayName: JENKINS,
  caller: JENKINS,
  eventTypes: [...Object.values(PHASES), ...Object.values(STATUSES)],
  options: [],
  translate: ({ payload }) => translate(payload),
};
