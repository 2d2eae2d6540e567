import { t } from '@annals/kernel/domain';
import type { EventMessage } from '../integration';
import { branchOf, commitCommentText, pushText, shortSha, tagOf, tagText } from '../shared/git';
import { link } from '../shared/markdown';
import { maybe } from '../shared/payload';
import type { DescribeGithub } from './github-shapes';
import { account, common, on, repository, sender } from './github-shapes';

const author = t.Object({ name: t.String(), username: maybe(t.String()) });
const commit = t.Object({ id: t.String(), url: t.String(), message: t.String(), author });
const pushedTo = { sender, repository, ref: t.String() };
const push = t.Object({
  ...pushedTo,
  compare: t.String(),
  commits: t.Array(commit),
  deleted: t.Boolean(),
  forced: t.Boolean(),
});
const tagPush = t.Object({ ...pushedTo, created: t.Boolean() });
const refEvent = t.Object({ ...pushedTo, ref_type: t.String() });
const commitComment = t.Object({
  sender,
  repository,
  comment: t.Object({ html_url: t.String(), commit_id: t.String(), body: t.String() }),
});
const forked = t.Object({ sender, repository, forkee: t.Object({ name: t.String(), html_url: t.String() }) });
const wiki = t.Object({
  sender,
  repository,
  pages: t.Array(t.Object({ action: t.String(), title: t.String(), html_url: t.String() })),
});
const release = t.Object({
  ...common,
  release: t.Object({ name: maybe(t.String()), tag_name: t.String(), html_url: t.String() }),
});
const starred = t.Object({ ...common, sender: account });
const plain = t.Object({ sender, repository });
const changed = t.Object(common);
const ping = t.Object({
  sender,
  repository: maybe(t.Object({ name: t.String() })),
  organization: maybe(t.Object({ login: t.String() })),
});

interface AtRepository {
  readonly repository: { readonly name: string };
}

const post = ({ repository: { name } }: AtRepository, content: string, part = ''): EventMessage => ({
  topic: part === '' ? name : `${name} / ${part}`,
  content,
});
const linked = ({ full_name: name, html_url: url }: { full_name: string; html_url: string }) => link(name, url);

const refDid = (action: string) =>
  on(refEvent, (payload) => post(payload, `${payload.sender.login} ${action} ${payload.ref_type} ${payload.ref}.`));

/** Messages about the contents of a repository and about the repository itself, by event type. */
export const repositoryEvents: Readonly<Record<string, DescribeGithub>> = {
  ping: on(ping, ({ sender: { login }, repository: repo, organization }) => ({
    topic: repo?.name ?? organization?.login ?? 'GitHub',
    content: `GitHub webhook has been successfully configured by ${login}.`,
  })),

  push_commits: on(push, (payload, { withRepository }) => {
    const {
      repository: repo,
      sender: { login },
      commits,
      compare,
    } = payload;
    const branch = branchOf(payload.ref);
    const content = pushText({
      user: login,
      branch,
      compareUrl: compare,
      commits: commits.map(({ id, url, message, author: { name, username } }) => ({
        author: username || name,
        sha: id,
        url,
        message,
      })),
      isDeletion: payload.deleted,
      isForced: payload.forced,
      repository: withRepository ? { name: repo.name, url: repo.html_url } : undefined,
    });
    return post(payload, content, branch);
  }),

  push_tags: on(tagPush, (payload) => {
    const {
      sender: { login },
      created,
      ref,
    } = payload;
    return post(payload, tagText(login, created ? 'pushed' : 'removed', tagOf(ref)));
  }),

  create: refDid('created'),
  delete: refDid('deleted'),

  commit_comment: on(commitComment, (payload) => {
    const {
      sender: { login },
      comment,
    } = payload;
    const [url = ''] = comment.html_url.split('#', 1);
    return post(payload, commitCommentText(login, comment.html_url, { sha: comment.commit_id, url }, comment.body));
  }),

  fork: on(forked, (payload) => {
    const {
      sender: { login },
      forkee,
    } = payload;
    return post(payload, `${login} forked ${link(forkee.name, forkee.html_url)}.`);
  }),

  gollum: on(wiki, (payload) => {
    const pages = payload.pages.map(({ action, title, html_url: url }) => `* ${action} ${link(title, url)}`);
    return post(payload, [`${payload.sender.login}:`, ...pages].join('\n'), 'wiki pages');
  }),

  release: on(release, (payload) => {
    const {
      action,
      sender: { login },
      release: { name, tag_name: tag, html_url: url },
    } = payload;
    return post(payload, `${login} ${action} release ${link(name || tag, url)} for tag ${tag}.`);
  }),

  star: on(starred, (payload) => {
    const {
      action,
      sender: { login, html_url: url },
      repository: repo,
    } = payload;
    return post(
      payload,
      `${link(login, url)} ${action === 'created' ? 'starred' : 'unstarred'} the repository ${linked(repo)}.`,
    );
  }),

  watch: on(plain, (payload) =>
    post(payload, `${payload.sender.login} starred the repository ${linked(payload.repository)}.`),
  ),
  public: on(plain, (payload) =>
    post(payload, `${payload.sender.login} made the repository ${linked(payload.repository)} public.`),
  ),
  repository: on(changed, (payload) => {
    const {
      action,
      sender: { login },
      repository: repo,
    } = payload;
    return post(payload, `${login} ${action} the repository ${linked(repo)}.`);
  }),
};

const status = t.Object({
  sender,
  repository,
  sha: t.String(),
  state: t.String(),
  target_url: maybe(t.String()),
  commit: t.Object({ html_url: t.String() }),
});
const checkRun = t.Object({
  repository,
  check_run: t.Object({
    name: t.String(),
    html_url: t.String(),
    status: t.String(),
    conclusion: maybe(t.String()),
    head_sha: t.String(),
  }),
});
const where = t.Object({ environment: t.String() });
const deployment = t.Object({ sender, repository, deployment: where });
const deploymentStatus = t.Object({
  repository,
  deployment: where,
  deployment_status: t.Object({ state: t.String() }),
});
const pageBuild = t.Object({
  repository,
  build: t.Object({
    status: maybe(t.String()),
    pusher: t.Object({ login: t.String() }),
    error: t.Object({ message: maybe(t.String()) }),
  }),
});

/** Messages about builds, checks and deployments, by event type. */
export const buildEvents: Readonly<Record<string, DescribeGithub>> = {
  status: on(status, (payload) => {
    const {
      sha,
      state,
      target_url: url,
      commit: { html_url: commitUrl },
    } = payload;
    return post(payload, `${link(shortSha(sha), commitUrl)} changed its status to ${url ? link(state, url) : state}.`);
  }),

  check_run: on(checkRun, (payload) => {
    const {
      repository: repo,
      check_run: { name, html_url: url, status: now, conclusion, head_sha: sha },
    } = payload;
    const commit = link(shortSha(sha), `${repo.html_url}/commit/${sha}`);
    return post(payload, `Check ${link(name, url)} ${now} (${conclusion ?? 'no conclusion'}). (${commit})`, 'checks');
  }),

  deployment: on(deployment, (payload) => {
    const {
      sender: { login },
      deployment: { environment },
    } = payload;
    return post(payload, `${login} created new deployment.`, `Deployment on ${environment}`);
  }),

  deployment_status: on(deploymentStatus, (payload) => {
    const {
      deployment: { environment },
      deployment_status: { state },
    } = payload;
    return post(payload, `Deployment changed status to ${state}.`, `Deployment on ${environment}`);
  }),

  page_build: on(pageBuild, (payload) => {
    const { status: now, pusher, error } = payload.build;
    const words: Readonly<Record<string, string>> = {
      building: 'is being built',
      built: 'has finished building',
      errored: error.message ? `has failed: ${error.message}` : 'has failed',
    };
    const action = now ? (Object.hasOwn(words, now) ? words[now] : `is ${now}`) : 'has yet to be built';
    return post(payload, `GitHub Pages build, triggered by ${pusher.login}, ${action}.`);
  }),
};
