import { t } from '@annals/kernel/domain';
import { NO_COMMIT, branchOf, pushText, tagOf, tagText } from '../shared/git';
import { link, quoted } from '../shared/markdown';
import { maybe } from '../shared/payload';
import type { DescribeGitlab } from './gitlab-shapes';
import { homeOf, nameOf, on, projectFields, user } from './gitlab-shapes';

const commit = t.Object({ id: t.String(), url: t.String(), message: t.String(), author: user });
const push = t.Object({
  ...projectFields,
  user_name: t.String(),
  ref: t.String(),
  before: t.String(),
  after: t.String(),
  commits: t.Array(commit),
});
const tagPush = t.Object({ ...projectFields, user_name: t.String(), ref: t.String(), checkout_sha: maybe(t.String()) });
const job = t.Object({
  ...projectFields,
  ref: t.String(),
  build_name: t.String(),
  build_stage: t.String(),
  build_status: t.String(),
});
const build = t.Object({
  id: t.Integer(),
  name: t.String(),
  status: t.String(),
  artifacts_file: maybe(t.Object({ filename: maybe(t.String()) })),
});
const pipeline = t.Object({
  ...projectFields,
  object_attributes: t.Object({ id: t.Integer(), ref: t.String(), status: t.String() }),
  builds: t.Array(build),
});
const release = t.Object({
  ...projectFields,
  action: t.String(),
  name: t.String(),
  tag: t.String(),
  url: maybe(t.String()),
  description: maybe(t.String()),
});
const deployment = t.Object({
  ...projectFields,
  user,
  user_url: t.String(),
  status: t.String(),
  environment: t.String(),
  deployable_url: maybe(t.String()),
  commit_title: t.String(),
  commit_url: t.String(),
});

/** What a status says of a pipeline or a job. */
const statusText = (status: string, begun: string) =>
  status === begun ? 'was created' : status === 'running' ? 'started' : `changed status to ${status}`;

const describeJob: DescribeGitlab = on(job, (payload) => {
  const { ref, build_name: name, build_stage: stage, build_status: status } = payload;
  return {
    topic: `${nameOf(payload)} / ${branchOf(ref)}`,
    content: `Build ${name} from ${stage} stage ${statusText(status, 'created')}.`,
  };
});

/** Messages about commits, builds, releases and deployments, by event type. */
export const codeEvents: Readonly<Record<string, DescribeGitlab>> = {
  'Push Hook': on(push, (payload) => {
    const { user_name: name, before, after, commits } = payload;
    const branch = branchOf(payload.ref);
    const topic = `${nameOf(payload)} / ${branch}`;
    if (after === NO_COMMIT) return { topic, content: `${name} deleted branch ${branch}.` };
    const compareUrl = `${homeOf(payload)}/-/compare/${before}...${after}`;
    const written = commits.map(({ id, url, message, author }) => ({ author: author.name, sha: id, url, message }));
    return { topic, content: pushText({ user: name, branch, compareUrl, commits: written }) };
  }),

  'Tag Push Hook': on(tagPush, (payload) => {
    const { user_name: name, ref, checkout_sha: sha } = payload;
    return { topic: nameOf(payload), content: tagText(name, sha ? 'pushed' : 'removed', tagOf(ref)) };
  }),

  'Job Hook': describeJob,
  'Build Hook': describeJob,

  'Pipeline Hook': on(pipeline, (payload) => {
    const {
      builds,
      object_attributes: { id, ref, status },
    } = payload;
    const home = homeOf(payload);
    const lines = builds.map(({ id: jobId, name, status: result, artifacts_file: file }) => {
      const url = `${home}/-/jobs/${jobId}`;
      const line = `* ${link(name, url)} - ${result}`;
      if (!file?.filename) return line;
      const links = `${link('Browse', `${url}/artifacts/browse`)}|${link('Download', `${url}/artifacts/download`)}`;
      return `${line}\n  * built artifact: *${file.filename}* [${links}]`;
    });
    const which = link(`Pipeline (${id})`, `${home}/-/pipelines/${id}`);
    return {
      topic: `${nameOf(payload)} / ${branchOf(ref)}`,
      content: `${which} ${statusText(status, 'pending')} with build(s):\n${lines.join('\n')}.`,
    };
  }),

  'Release Hook': on(release, (payload) => {
    const { action, name, tag, url, description } = payload;
    const isGone = action === 'delete' || !url;
    const text = `Release ${isGone ? name : link(name, url)} for tag ${tag} was ${action}d.`;
    return { topic: nameOf(payload), content: isGone || !description ? text : `${text}\n${quoted(description)}` };
  }),

  'Deployment Hook': on(deployment, (payload) => {
    const {
      user: { name },
      user_url: userUrl,
      status,
      deployable_url: url,
      commit_title: title,
      commit_url: commitUrl,
    } = payload;
    const what = url ? link('deployment', url) : 'deployment';
    const sha = (commitUrl.split('/').at(-1) ?? '').slice(0, 7);
    const content =
      status === 'running'
        ? `${link(name, userUrl)} started a new ${what}:\n> ${link(sha, commitUrl)} ${title}`
        : status === 'success'
          ? `The ${what} was successful.`
          : status === 'failed'
            ? `The ${what} failed.`
            : `The ${what} was ${status}.`;
    return { topic: `${nameOf(payload)} / ${payload.environment}`, content };
  }),
};
