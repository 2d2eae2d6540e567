import { t } from '@annals/kernel/domain';
import { titleIn } from '../shared/describing';
import { actText, commitCommentText, topicOfThing } from '../shared/git';
import { link } from '../shared/markdown';
import { maybe } from '../shared/payload';
import type { DescribeGitlab } from './gitlab-shapes';
import { homeOf, nameOf, on, projectFields, thing, user } from './gitlab-shapes';

const note = { ...projectFields, user, object_attributes: t.Object({ url: t.String(), note: t.String() }) };
const onCommit = t.Object({ ...note, commit: t.Object({ id: t.String(), url: t.String() }) });
const onMergeRequest = t.Object({ ...note, merge_request: thing });
const onIssue = t.Object({ ...note, issue: thing });
const onSnippet = t.Object({
  ...note,
  snippet: t.Object({ id: t.Integer(), title: t.String(), url: maybe(t.String()) }),
});

const commented = (url: string) => `${link('commented', url)} on`;

const describeIssueNote: DescribeGitlab = on(onIssue, (payload, wording) => {
  const {
    user: { name },
    issue: { iid, title, url },
    object_attributes: written,
  } = payload;
  const act = { user: name, action: commented(written.url), kind: 'issue', url, number: iid };
  return {
    topic: topicOfThing(nameOf(payload), 'issue', iid, title),
    content: actText({ ...act, title: titleIn(wording, title), text: written.note }),
  };
});

/** Messages about comments, which GitLab calls notes, by event type. */
export const noteEvents: Readonly<Record<string, DescribeGitlab>> = {
  'Note Hook Commit': on(onCommit, (payload) => {
    const {
      user: { name },
      commit: { id, url },
      object_attributes: written,
    } = payload;
    return { topic: nameOf(payload), content: commitCommentText(name, written.url, { sha: id, url }, written.note) };
  }),

  'Note Hook MergeRequest': on(onMergeRequest, (payload, wording) => {
    const {
      user: { name },
      merge_request: { iid, title, url },
      object_attributes: written,
    } = payload;
    const act = { user: name, action: commented(written.url), kind: 'MR', url, number: iid };
    return {
      topic: topicOfThing(nameOf(payload), 'MR', iid, wording.titleInTopic ? title : '').trimEnd(),
      content: actText({ ...act, title: titleIn(wording, title), text: written.note }),
    };
  }),

  'Note Hook Issue': describeIssueNote,
  'Confidential Note Hook Issue': describeIssueNote,

  'Note Hook Snippet': on(onSnippet, (payload, wording) => {
    const {
      user: { name },
      snippet: { id, title, url },
      object_attributes: written,
    } = payload;
    const page = url ?? `${homeOf(payload)}/-/snippets/${id}`;
    const act = { user: name, action: commented(written.url), kind: 'snippet', url: page, number: id };
    return {
      topic: topicOfThing(nameOf(payload), 'snippet', id, title),
      content: actText({ ...act, title: titleIn(wording, title), text: written.note }),
    };
  }),
};
