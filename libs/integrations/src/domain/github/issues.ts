import { t } from '@annals/kernel/domain';
import type { EventMessage } from '../integration';
import { titleIn } from '../shared/describing';
import { actText, topicOfThing } from '../shared/git';
import { link, quoted } from '../shared/markdown';
import { maybe } from '../shared/payload';
import type { DescribeGithub, GithubWording } from './github-shapes';
import { account, comment, common, described, on, thing } from './github-shapes';

const issueEvent = t.Object({ ...common, issue: described, assignee: maybe(account) });
const by = t.Object({ login: t.String(), html_url: t.String() });
const labeled = t.Object({ ...common, sender: by, issue: thing, label: t.Object({ name: t.String() }) });
const milestoned = t.Object({
  ...common,
  sender: by,
  issue: thing,
  milestone: t.Object({ title: t.String(), html_url: t.String() }),
});
const repositoryName = t.Object({ full_name: t.String() });
const issueLink = t.Object({ number: t.Integer(), html_url: t.String() });
const transferred = t.Object({
  ...common,
  issue: thing,
  changes: t.Object({ new_issue: issueLink, new_repository: repositoryName }),
});
const cameByTransfer = t.Object({
  ...common,
  issue: thing,
  changes: t.Object({ old_issue: issueLink, old_repository: repositoryName }),
});
/** GitHub calls comments on pull requests comments on issues. */
const commentedThing = t.Intersect([thing, t.Object({ pull_request: t.Optional(t.Unknown()) })]);
const commented = t.Object({ ...common, issue: commentedThing, comment });
const discussion = t.Object({
  ...common,
  discussion: t.Intersect([described, t.Object({ category: t.Object({ name: t.String() }) })]),
});
const discussionComment = t.Object({ ...common, discussion: thing, comment });

interface AboutIssue {
  readonly repository: { readonly name: string };
  readonly issue: { readonly number: number; readonly title: string };
}
interface AboutDiscussion {
  readonly repository: { readonly name: string };
  readonly discussion: { readonly number: number; readonly title: string };
}

const post = ({ repository, issue: { number, title } }: AboutIssue, content: string, kind = 'issue'): EventMessage => ({
  topic: topicOfThing(repository.name, kind, number, title),
  content,
});

const postInDiscussion = ({ repository, discussion: { number, title } }: AboutDiscussion, content: string) => ({
  topic: `${repository.name} discussion #${number}: ${title}`,
  content,
});

const named = (
  kind: string,
  issue: { number: number; title: string; html_url: string },
  { withTitle }: GithubWording,
) => link(`${kind} #${issue.number}${withTitle ? ` ${issue.title}` : ''}`, issue.html_url);

/** `[commented](…) on` or `edited a [comment](…) on` */
const didComment = (action: string, url: string) =>
  action === 'created' ? `${link('commented', url)} on` : `${action} a ${link('comment', url)} on`;

/** Messages about issues and discussions, by event type. */
export const issueEvents: Readonly<Record<string, DescribeGithub>> = {
  issues: on(issueEvent, (payload, wording) => {
    const { action, sender, issue, assignee } = payload;
    const isAssignment = action === 'assigned' || action === 'unassigned';
    const whom = assignee ? ` ${assignee.login} ${action === 'assigned' ? 'to' : 'from'}` : '';
    const content = actText({
      user: sender.login,
      action: isAssignment ? `${action}${whom}` : action,
      kind: 'issue',
      url: issue.html_url,
      number: issue.number,
      title: titleIn(wording, issue.title),
      text: isAssignment ? undefined : issue.body,
    });
    return post(payload, content);
  }),

  issue_labeled_or_unlabeled: on(labeled, (payload, wording) => {
    const { action, sender, issue, label } = payload;
    const did = action === 'labeled' ? `added the ${label.name} label to` : `removed the ${label.name} label from`;
    return post(payload, `${link(sender.login, sender.html_url)} ${did} ${named('Issue', issue, wording)}.`);
  }),

  issue_milestoned_or_demilestoned: on(milestoned, (payload, wording) => {
    const { action, sender, issue, milestone } = payload;
    const which = `milestone ${link(milestone.title, milestone.html_url)}`;
    const did = action === 'milestoned' ? `added ${which} to` : `removed ${which} from`;
    return post(payload, `${link(sender.login, sender.html_url)} ${did} ${named('issue', issue, wording)}.`);
  }),

  issues_transferred: on(transferred, (payload) => {
    const { sender, issue, changes } = payload;
    const { new_issue: there, new_repository: repository } = changes;
    const old = link(`issue #${issue.number} ${issue.title}`, issue.html_url);
    const now = link(`${repository.full_name}/#${there.number}`, there.html_url);
    return post(payload, `${sender.login} transferred ${old} to ${now}.`);
  }),

  issues_opened_via_transfer: on(cameByTransfer, (payload) => {
    const { issue, changes } = payload;
    const { old_issue: there, old_repository: repository } = changes;
    const now = link(`Issue #${issue.number} ${issue.title}`, issue.html_url);
    return post(
      payload,
      `${now} was transferred from ${link(`${repository.full_name}#${there.number}`, there.html_url)}.`,
    );
  }),

  issue_comment: on(commented, (payload, wording) => {
    const { action, sender, issue, comment: written } = payload;
    const kind = issue.pull_request === undefined ? 'issue' : 'PR';
    const title = titleIn(wording, issue.title);
    const act = { user: sender.login, action: didComment(action, written.html_url), kind, url: issue.html_url };
    return post(payload, actText({ ...act, number: issue.number, title, text: written.body }), kind);
  }),

  discussion: on(discussion, (payload) => {
    const { sender, discussion: begun } = payload;
    const which = link(`discussion #${begun.number}`, begun.html_url);
    const text = quoted(`### ${begun.title}\n${begun.body ?? ''}`);
    return postInDiscussion(payload, `${sender.login} created ${which} in ${begun.category.name}:\n\n${text}`);
  }),

  discussion_comment: on(discussionComment, (payload, wording) => {
    const { action, sender, discussion: about, comment: written } = payload;
    const title = titleIn(wording, about.title);
    const act = {
      user: sender.login,
      action: didComment(action, written.html_url),
      kind: 'discussion',
      url: about.html_url,
    };
    return postInDiscussion(payload, actText({ ...act, number: about.number, title, text: written.body }));
  }),
};
