import { t } from '@annals/kernel/domain';
import type { EventMessage } from '../integration';
import type { Act } from '../shared/git';
import { titleIn } from '../shared/describing';
import { actText, topicOfThing } from '../shared/git';
import { link } from '../shared/markdown';
import { maybe } from '../shared/payload';
import type { DescribeGithub } from './github-shapes';
import { account, comment, common, described, on, thing } from './github-shapes';

const branch = t.Object({ label: t.String() });
const branches = t.Object({ head: branch, base: branch });

const pullRequest = t.Intersect([described, branches, t.Object({ assignee: maybe(account) })]);
const basic = t.Object({ ...common, pull_request: thing });
const changed = t.Object({
  ...common,
  pull_request: pullRequest,
  changes: t.Optional(t.Object({ body: t.Optional(t.Unknown()) })),
});
const closed = t.Object({ ...common, pull_request: t.Intersect([thing, t.Object({ merged: t.Boolean() })]) });
const assigned = t.Object({ ...common, pull_request: thing, assignee: account });
const locked = t.Object({
  ...common,
  pull_request: t.Intersect([thing, t.Object({ active_lock_reason: maybe(t.String()) })]),
});
const requested = t.Object({
  ...common,
  pull_request: thing,
  requested_reviewer: maybe(account),
  requested_team: maybe(t.Object({ name: t.String(), html_url: t.String() })),
});
const reviewed = t.Object({ ...common, pull_request: thing, review: comment });
const reviewCommented = t.Object({ ...common, pull_request: thing, comment });

interface AboutPullRequest {
  readonly repository: { readonly name: string };
  readonly pull_request: { readonly number: number; readonly title: string };
}

const post = ({ repository, pull_request: { number, title } }: AboutPullRequest, content: string): EventMessage => ({
  topic: topicOfThing(repository.name, 'PR', number, title),
  content,
});

const pr = (act: Omit<Act, 'kind'>): string => actText({ kind: 'PR', ...act });

/** `synchronize` is what GitHub calls a push to the branch of a pull request. */
const wordFor = (action: string) => (action === 'synchronize' ? 'updated' : action);

const openedOrUpdated = on(changed, (payload, wording) => {
  const { action, sender, pull_request: pull, changes } = payload;
  const isNew = action === 'opened';
  return post(
    payload,
    pr({
      user: sender.login,
      action: wordFor(action),
      url: pull.html_url,
      number: pull.number,
      title: titleIn(wording, pull.title),
      branches: isNew ? { from: pull.head.label, to: pull.base.label } : undefined,
      assignees: pull.assignee ? [pull.assignee.login] : [],
      text: isNew || changes?.body !== undefined ? pull.body : undefined,
    }),
  );
});

const reviewers = (login: string, url: string) => link(login, url);
const numbered = ({ number, html_url: url }: { number: number; html_url: string }) => link(`PR #${number}`, url);

/** Messages about pull requests, by event type. */
export const pullRequestEvents: Readonly<Record<string, DescribeGithub>> = {
  opened_pull_request: openedOrUpdated,
  updated_pull_request: openedOrUpdated,

  closed_pull_request: on(closed, (payload, wording) => {
    const { sender, pull_request: pull } = payload;
    const action = pull.merged ? 'merged' : 'closed without merge';
    const title = titleIn(wording, pull.title);
    return post(payload, pr({ user: sender.login, action, url: pull.html_url, number: pull.number, title }));
  }),

  assigned_or_unassigned_pull_request: on(assigned, (payload, wording) => {
    const { action, sender, assignee, pull_request: pull } = payload;
    const title = titleIn(wording, pull.title);
    const did = `${action} ${assignee.login} ${action === 'assigned' ? 'to' : 'from'}`;
    return post(payload, pr({ user: sender.login, action: did, url: pull.html_url, number: pull.number, title }));
  }),

  pull_request_ready_for_review: on(basic, (payload) => {
    const { sender, pull_request: pull } = payload;
    return post(payload, `**${sender.login}** has marked ${numbered(pull)} as ready for review.`);
  }),

  pull_request_auto_merge: on(basic, (payload) => {
    const { action, sender, pull_request: pull } = payload;
    const did = action === 'auto_merge_disabled' ? 'disabled' : 'enabled';
    return post(payload, `${sender.login} has ${did} auto merge for ${numbered(pull)}.`);
  }),

  locked_or_unlocked_pull_request: on(locked, (payload) => {
    const { action, sender, pull_request: pull } = payload;
    const reason = pull.active_lock_reason ? ` as ${pull.active_lock_reason}` : '';
    const did = action === 'unlocked' ? '' : `${reason} and limited conversation to collaborators`;
    return post(payload, `${sender.login} has ${action} ${numbered(pull)}${did}.`);
  }),

  pull_request_review_requested: on(requested, (payload, wording) => {
    const { sender, pull_request: pull, requested_reviewer: person, requested_team: team } = payload;
    const reviewer = person
      ? reviewers(person.login, person.html_url)
      : team
        ? reviewers(team.name, team.html_url)
        : 'somebody';
    const title = wording.withTitle ? ` ${pull.title}` : '';
    const asked = link(`PR #${pull.number}${title}`, pull.html_url);
    return post(payload, `**${sender.login}** requested ${reviewer} for a review on ${asked}.`);
  }),

  pull_request_review: on(reviewed, (payload, wording) => {
    const { sender, review, pull_request: pull } = payload;
    const title = titleIn(wording, `for #${pull.number} ${pull.title}`);
    const act = { user: sender.login, action: 'submitted', kind: 'PR review', url: review.html_url };
    return post(payload, actText({ ...act, title, text: review.body }));
  }),

  pull_request_review_comment: on(reviewCommented, (payload, wording) => {
    const { action, sender, comment: written, pull_request: pull } = payload;
    const title = titleIn(wording, `on #${pull.number} ${pull.title}`);
    const act = { user: sender.login, action, kind: 'PR review comment', url: written.html_url };
    return post(payload, actText({ ...act, title, text: action === 'created' ? written.body : undefined }));
  }),
};
