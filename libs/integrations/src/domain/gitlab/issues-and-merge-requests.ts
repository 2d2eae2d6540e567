import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { titleIn } from '../shared/describing';
import { actText, topicOfThing } from '../shared/git';
import { link } from '../shared/markdown';
import { maybe } from '../shared/payload';
import type { DescribeGitlab, GitlabWording } from './gitlab-shapes';
import { homeOf, nameOf, on, projectFields, thing, user } from './gitlab-shapes';

const assignable = { ...projectFields, user, assignee: maybe(user), assignees: maybe(t.Array(user)) };
const issue = t.Object({
  ...assignable,
  object_attributes: t.Intersect([thing, t.Object({ description: maybe(t.String()) })]),
});
const merge = t.Object({
  source_branch: t.String(),
  target_branch: t.String(),
  description: maybe(t.String()),
  oldrev: maybe(t.String()),
});
const mergeRequest = t.Object({ ...assignable, object_attributes: t.Intersect([thing, merge]) });
const wikiPage = t.Object({
  ...projectFields,
  user,
  object_attributes: t.Object({ title: t.String(), url: t.String() }),
});
const featureFlag = t.Object({
  ...projectFields,
  user: t.Object({ username: t.String() }),
  object_attributes: t.Object({ name: t.String(), active: t.Boolean() }),
});
const test = t.Object(projectFields);
type Issue = Static<typeof issue>;
type MergeRequest = Static<typeof mergeRequest>;

const HIDDEN_COMMENT = '<!--';

/** The text without comments in HTML. */
function visible(text: string): string {
  let shown = '';
  let from = 0;
  for (let start = text.indexOf(HIDDEN_COMMENT); start >= 0; start = text.indexOf(HIDDEN_COMMENT, from)) {
    const end = text.indexOf('-->', start);
    if (end < 0) break;
    shown += text.slice(from, start);
    from = end + 3;
  }
  return (shown + text.slice(from)).trimEnd();
}

const assigneesOf = ({ assignee, assignees }: Pick<Issue, 'assignee' | 'assignees'>): string[] =>
  (assignees && assignees.length > 0 ? assignees : assignee ? [assignee] : []).map(({ name }) => name);

const aboutIssue = (payload: Issue, { withTitle }: GitlabWording) => {
  const {
    user: { name },
    object_attributes: { iid, title, url },
  } = payload;
  return {
    topic: topicOfThing(nameOf(payload), 'issue', iid, title),
    act: { user: name, kind: 'issue', url, number: iid, title: withTitle ? title : undefined },
  };
};

/** `approval` is one of several approvals that a merge request needs. */
const MERGE_WORDS: Readonly<Record<string, string>> = {
  approval: 'added their approval for',
  unapproval: 'removed their approval for',
};

const aboutMergeRequest = (payload: MergeRequest, wording: GitlabWording) => {
  const {
    user: { name },
    object_attributes: { iid, title, url },
  } = payload;
  return {
    topic: topicOfThing(nameOf(payload), 'MR', iid, wording.titleInTopic ? title : '').trimEnd(),
    act: { user: name, kind: 'MR', url, number: iid, title: titleIn(wording, title) },
  };
};

const issueDid = (action: string): DescribeGitlab =>
  on(issue, (payload, wording) => {
    const { topic, act } = aboutIssue(payload, wording);
    return { topic, content: actText({ ...act, action }) };
  });

const created = on(issue, (payload, wording) => {
  const { topic, act } = aboutIssue(payload, wording);
  const { description } = payload.object_attributes;
  const text = description ? visible(description) : undefined;
  return { topic, content: actText({ ...act, action: 'created', assignees: assigneesOf(payload), text }) };
});

const branchesOf = ({ object_attributes: { source_branch: from, target_branch: to } }: MergeRequest) => ({ from, to });

const mergeDid = (action: string): DescribeGitlab =>
  on(mergeRequest, (payload, wording) => {
    const { topic, act } = aboutMergeRequest(payload, wording);
    const branches = action === 'merged' ? branchesOf(payload) : undefined;
    return { topic, content: actText({ ...act, action: MERGE_WORDS[action] ?? action, branches }) };
  });

const mergeWritten = (action: 'created' | 'updated'): DescribeGitlab =>
  on(mergeRequest, (payload, wording) => {
    const { topic, act } = aboutMergeRequest(payload, wording);
    const { description, oldrev } = payload.object_attributes;
    // An update with an old revision is a push to the branch.
    if (action === 'updated' && oldrev) return { topic, content: actText({ ...act, action: 'added commit(s) to' }) };
    const branches = action === 'created' ? branchesOf(payload) : undefined;
    return {
      topic,
      content: actText({ ...act, action, branches, assignees: assigneesOf(payload), text: description }),
    };
  });

const wikiDid = (action: string): DescribeGitlab =>
  on(wikiPage, (payload) => {
    const {
      user: { name },
      object_attributes: { title, url },
    } = payload;
    return { topic: nameOf(payload), content: `${name} ${action} ${link(`wiki page "${title}"`, url)}.` };
  });

const issues = (hook: string): Readonly<Record<string, DescribeGitlab>> => ({
  [`${hook} open`]: created,
  [`${hook} close`]: issueDid('closed'),
  [`${hook} reopen`]: issueDid('reopened'),
  [`${hook} update`]: issueDid('updated'),
});

/** Messages about issues, merge requests, wiki pages and feature flags, by event type. */
export const thingEvents: Readonly<Record<string, DescribeGitlab>> = {
  ...issues('Issue Hook'),
  ...issues('Confidential Issue Hook'),
  'Merge Request Hook open': mergeWritten('created'),
  'Merge Request Hook update': mergeWritten('updated'),
  'Merge Request Hook merge': mergeDid('merged'),
  'Merge Request Hook close': mergeDid('closed'),
  'Merge Request Hook reopen': mergeDid('reopened'),
  'Merge Request Hook approved': mergeDid('approved'),
  'Merge Request Hook unapproved': mergeDid('unapproved'),
  'Merge Request Hook approval': mergeDid('approval'),
  'Merge Request Hook unapproval': mergeDid('unapproval'),
  'Wiki Page Hook create': wikiDid('created'),
  'Wiki Page Hook update': wikiDid('updated'),
  'Feature Flag Hook': on(featureFlag, (payload) => {
    const {
      user: { username },
      object_attributes: { name, active },
    } = payload;
    const which = link(name, `${homeOf(payload)}/-/feature_flags`);
    return {
      topic: nameOf(payload),
      content: `${username} ${active ? 'activated' : 'deactivated'} the feature flag ${which}.`,
    };
  }),
  'Test Hook': on(test, (payload) => ({
    topic: nameOf(payload),
    content: `Webhook for **${nameOf(payload)}** has been configured successfully! :tada:`,
  })),
};
