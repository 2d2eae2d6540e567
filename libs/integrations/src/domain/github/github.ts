import { t } from '@annals/kernel/domain';
import type { IncomingDelivery, Integration, TranslatedDelivery } from '../integration';
import { branchOf, isChosenBranch } from '../shared/git';
import { eventHeader, maybe, readerOf, textOption } from '../shared/payload';
import type { DescribeGithub } from './github-shapes';
import { GITHUB } from './github-shapes';
import { issueEvents } from './issues';
import { pullRequestEvents } from './pull-requests';
import { buildEvents, repositoryEvents } from './repository';
import { teamEvents } from './teams';

const EVENTS: Readonly<Record<string, DescribeGithub>> = {
  ...repositoryEvents,
  ...issueEvents,
  ...pullRequestEvents,
  ...buildEvents,
  ...teamEvents,
};

/** Events that GitHub sends with those of a repository and that make no message. */
const SILENT = new Set([
  'check_suite',
  'label',
  'meta',
  'milestone',
  'organization',
  'project_card',
  'repository_vulnerability_alert',
]);

const PULL_REQUEST_ACTIONS: Readonly<Record<string, string>> = {
  opened: 'opened_pull_request',
  reopened: 'opened_pull_request',
  synchronize: 'updated_pull_request',
  edited: 'updated_pull_request',
  assigned: 'assigned_or_unassigned_pull_request',
  unassigned: 'assigned_or_unassigned_pull_request',
  closed: 'closed_pull_request',
  review_requested: 'pull_request_review_requested',
  ready_for_review: 'pull_request_ready_for_review',
  locked: 'locked_or_unlocked_pull_request',
  unlocked: 'locked_or_unlocked_pull_request',
  auto_merge_enabled: 'pull_request_auto_merge',
  auto_merge_disabled: 'pull_request_auto_merge',
};
const SILENT_PULL_REQUEST_ACTIONS = new Set([
  'approved',
  'converted_to_draft',
  'labeled',
  'review_request_removed',
  'unlabeled',
]);
const SILENT_TEAM_ACTIONS = new Set(['added_to_repository', 'created', 'deleted', 'removed_from_repository']);

const ISSUE_ACTIONS: Readonly<Record<string, string>> = {
  labeled: 'issue_labeled_or_unlabeled',
  unlabeled: 'issue_labeled_or_unlabeled',
  milestoned: 'issue_milestoned_or_demilestoned',
  demilestoned: 'issue_milestoned_or_demilestoned',
  transferred: 'issues_transferred',
};

const body = t.Optional(t.Object({ body: maybe(t.String()) }));
const read = readerOf(
  GITHUB,
  t.Object({
    action: t.Optional(t.String()),
    ref: t.Optional(t.String()),
    repository: maybe(t.Object({ private: t.Optional(t.Boolean()) })),
    comment: body,
    changes: t.Optional(
      t.Object({ old_issue: t.Optional(t.Unknown()), body: t.Optional(t.Object({ from: maybe(t.String()) })) }),
    ),
    check_run: t.Optional(t.Object({ status: t.String() })),
  }),
);
type Payload = ReturnType<typeof read>;

/** What an event is about, by the header and the payload. */
type Kind = { readonly event: string } | 'silent' | 'unsupported';

const known = (actions: Readonly<Record<string, string>>, action: string): string | undefined =>
  Object.hasOwn(actions, action) ? actions[action] : undefined;

/** Kinds that depend on more than the header. */
const KINDS: Readonly<Record<string, (payload: Payload, branches: string | undefined) => Kind>> = {
  pull_request: ({ action = '' }) => {
    const event = known(PULL_REQUEST_ACTIONS, action);
    if (event !== undefined) return { event };
    return SILENT_PULL_REQUEST_ACTIONS.has(action) ? 'silent' : 'unsupported';
  },
  // GitHub sends an edit without changes when a review is submitted.
  pull_request_review: ({ action, changes = {} }) =>
    action === 'edited' && Object.keys(changes).length === 0 ? 'silent' : { event: 'pull_request_review' },
  push: ({ ref = '' }, branches) => {
    if (ref.startsWith('refs/heads/gh-readonly-queue/')) return 'silent';
    if (!ref.startsWith('refs/heads/')) return { event: 'push_tags' };
    return isChosenBranch(branchOf(ref), branches) ? { event: 'push_commits' } : 'silent';
  },
  check_run: ({ check_run: run }) => (run && run.status !== 'completed' ? 'silent' : { event: 'check_run' }),
  team: ({ action = '' }) =>
    action === 'edited' ? { event: 'team' } : SILENT_TEAM_ACTIONS.has(action) ? 'silent' : 'unsupported',
  issues: ({ action = '', changes }) => {
    if (action === 'opened' && changes?.old_issue) return { event: 'issues_opened_via_transfer' };
    return { event: known(ISSUE_ACTIONS, action) ?? 'issues' };
  },
};

/** Headers that name the event type itself. */
const PLAIN = new Set([
  'commit_comment',
  'create',
  'delete',
  'deployment',
  'deployment_status',
  'discussion',
  'discussion_comment',
  'fork',
  'gollum',
  'issue_comment',
  'member',
  'membership',
  'page_build',
  'ping',
  'public',
  'pull_request_review_comment',
  'release',
  'repository',
  'star',
  'status',
  'team_add',
  'watch',
]);

function kindOf(header: string, payload: Payload, branches: string | undefined): Kind {
  const kind = Object.hasOwn(KINDS, header) ? KINDS[header] : undefined;
  if (kind) return kind(payload, branches);
  if (PLAIN.has(header)) return { event: header };
  return SILENT.has(header) ? 'silent' : 'unsupported';
}

/** A comment that was edited without another text. */
const isUnchanged = (header: string, { action, comment, changes }: Payload): boolean =>
  header.includes('comment') &&
  action === 'edited' &&
  changes?.body !== undefined &&
  changes.body.from === comment?.body;

function translate(delivery: IncomingDelivery): TranslatedDelivery {
  const header = eventHeader(delivery, 'X-GitHub-Event');
  const payload = read(delivery.payload);
  const { options } = delivery;
  if (payload.repository?.private && options['ignore_private_repositories'] === true) return [];
  if (isUnchanged(header, payload)) return [];
  const kind = kindOf(header, payload, textOption(delivery, 'branches'));
  if (kind === 'silent') return [];
  const describe = kind === 'unsupported' ? undefined : EVENTS[kind.event];
  if (!describe || kind === 'unsupported') return { unsupported: `${header}:${payload.action ?? '???'}` };
  const wording = { withTitle: delivery.hasTopic, withRepository: options['include_repository_name'] === true };
  return [{ ...describe(delivery.payload, wording), event: kind.event }];
}

export const github: Integration = {
  name: 'github',
  displayName: 'GitHub',
  caller: GITHUB,
  eventTypes: Object.keys(EVENTS).sort(),
  options: [
    { name: 'branches', label: 'Branches, separated by commas', kind: 'text' },
    { name: 'ignore_private_repositories', label: 'Exclude notifications from private repositories', kind: 'flag' },
    { name: 'include_repository_name', label: 'Include repository name in the notifications', kind: 'flag' },
  ],
  translate,
  deliveryId: ({ header }) => header('X-GitHub-Delivery'),
};
